import type { TObject, TSchema } from 'typebox';
import { type BytesRequest, bytesRequest } from './bytes.ts';
import { type EmptyResponse, emptyResponse } from './empty.ts';
import { type EventsResponse, eventsResponse } from './events.ts';
import { type FileRequest, type FileResponse, fileRequest, fileResponse } from './file.ts';
import { type FilesRequest, filesRequest } from './files.ts';
import { type FormRequest, formRequest } from './form.ts';
import { type JsonRequest, type JsonResponse, jsonRequest, jsonResponse } from './json.ts';
import type { RequestKind, ResponseKind } from './kind.ts';
import { type LinesResponse, linesResponse } from './lines.ts';
import { type PartsRequest, partsRequest } from './parts.ts';
import { type RedirectResponse, redirectResponse } from './redirect.ts';
import { type TextResponse, textResponse } from './text.ts';

/** The kinds of requests. An endpoint without one accepts no body. */
export type EndpointRequest = JsonRequest | FormRequest | FileRequest | FilesRequest | BytesRequest | PartsRequest;

/** The kinds of responses. */
export type EndpointResponse =
  | JsonResponse
  | EmptyResponse
  | FileResponse
  | RedirectResponse
  | TextResponse
  | EventsResponse
  | LinesResponse;

type RequestKinds = { [K in EndpointRequest['kind']]: RequestKind<Extract<EndpointRequest, { kind: K }>> };
type ResponseKinds = { [K in EndpointResponse['kind']]: ResponseKind<Extract<EndpointResponse, { kind: K }>> };

const requestKinds: RequestKinds = {
  json: jsonRequest,
  form: formRequest,
  file: fileRequest,
  files: filesRequest,
  bytes: bytesRequest,
  parts: partsRequest,
};

const responseKinds: ResponseKinds = {
  json: jsonResponse,
  empty: emptyResponse,
  file: fileResponse,
  redirect: redirectResponse,
  text: textResponse,
  events: eventsResponse,
  lines: linesResponse,
};

/** The fields of a body by name, if it has fields. */
export function getBodyFields(request: EndpointRequest | undefined): Readonly<Record<string, TSchema>> {
  const schema = request && 'schema' in request ? (request.schema as Partial<TObject>) : undefined;
  return schema?.properties ?? {};
}

// The type can't express that each kind matches its own specification.
export const getRequestKind = ({ kind }: EndpointRequest) => requestKinds[kind] as RequestKind<EndpointRequest>;
export const getResponseKind = ({ kind }: EndpointResponse) => responseKinds[kind] as ResponseKind<EndpointResponse>;
