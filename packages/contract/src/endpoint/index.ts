export { ApiError } from './api-error.ts';
export type { ApiSurface } from './api-surface.ts';
export { type BytesRequest, bytes, type ContentEncoding } from './bytes.ts';
export { type EmptyResponse, empty } from './empty.ts';
export * from './endpoint.ts';
export { EVENTS_TYPE, type EventsResponse, events, type ServerEvent } from './events.ts';
export { type Download, type FileRequest, type FileResponse, file } from './file.ts';
export { type FilesRequest, files } from './files.ts';
export { FORM_TYPE, type FormRequest, form } from './form.ts';
export { type JsonRequest, type JsonResponse, json } from './json.ts';
export {
  type EndpointRequest,
  type EndpointResponse,
  getBodyFields,
  getRequestKind,
  getResponseKind,
} from './kinds.ts';
export { LINES_TYPE, type LinesResponse, lines } from './lines.ts';
export { PARTS_TYPE, type PartsFiles, type PartsRequest, parts } from './parts.ts';
export { type RedirectResponse, redirect } from './redirect.ts';
export { type TextResponse, text } from './text.ts';
