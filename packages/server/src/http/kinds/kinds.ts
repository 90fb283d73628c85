import type { EndpointRequest, EndpointResponse } from '@mooring/contract';
import { mountBytesRequest } from './bytes.ts';
import { mountEmptyResponse } from './empty.ts';
import { mountEventsResponse } from './events.ts';
import { mountFileRequest } from './file-request.ts';
import { mountFileResponse } from './file-response.ts';
import { mountFilesRequest } from './files-request.ts';
import { mountFormRequest } from './form.ts';
import { mountJsonRequest, mountJsonResponse } from './json.ts';
import type { MountedRequest, MountedResponse, MountRequest, MountResponse, Shared } from './kind.ts';
import { mountLinesResponse } from './lines.ts';
import { mountPartsRequest } from './parts.ts';
import { mountRedirectResponse } from './redirect.ts';
import { mountTextResponse } from './text.ts';

const requests: { [K in EndpointRequest['kind']]: MountRequest<Extract<EndpointRequest, { kind: K }>> } = {
  json: mountJsonRequest,
  form: mountFormRequest,
  file: mountFileRequest,
  files: mountFilesRequest,
  bytes: mountBytesRequest,
  parts: mountPartsRequest,
};

const responses: { [K in EndpointResponse['kind']]: MountResponse<Extract<EndpointResponse, { kind: K }>> } = {
  json: mountJsonResponse,
  empty: mountEmptyResponse,
  file: mountFileResponse,
  redirect: mountRedirectResponse,
  text: mountTextResponse,
  events: mountEventsResponse,
  lines: mountLinesResponse,
};

const nothing: MountedRequest = { refusal: 'The body must be JSON, sent with Content-Type: application/json.' };

// Each function is selected by the kind that it is for.
export const mountRequest = (request: EndpointRequest | undefined): MountedRequest =>
  request ? (requests[request.kind] as MountRequest<EndpointRequest>)(request) : nothing;

export const mountResponse = (response: EndpointResponse, shared: Shared): MountedResponse =>
  (responses[response.kind] as MountResponse<EndpointResponse>)(response, shared);
