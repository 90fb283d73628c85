import type { TObject, TSchema } from 'typebox';
import { type BytesRequest, bytesRequest } from './bytes.ts';
import { type EmptyResponse, emptyResponse } from './empty.ts';
import { type EventsResponse, eventsResponse } from './events.ts';
import { type FileRequest, type FileResponse, fileRequest, fileResponse } from './file.ts';
import { type FormRequest, formRequest } from './form.ts';
import { type JsonRequest, type JsonResponse, jsonRequest, jsonResponse } from './json.ts';
import type { RequestKind, ResponseKind } from './kind.ts';
import { type LinesResponse, linesResponse } from './lines.ts';
import { type RedirectResponse, redirectResponse } from './redirect.ts';
import { type TextResponse, textResponse } from './text.ts';

/** What an endpoint may take. Without one it takes nothing. */
export type EndpointRequest = JsonRequest | FormRequest | FileRequest | BytesRequest;

/** What an endpoint may answer. */
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

const requestKinds: RequestKinds = { json: jsonRequest, form: formRequest, file: fileRequest, bytes: bytesRequest };

const responseKinds: ResponseKinds = {
  json: jsonResponse,
  empty: emptyResponse,
  file: fileResponse,
  redirect: redirectResponse,
  text: textResponse,
  events: eventsResponse,
  lines: linesResponse,
};

/** The fields of a body that has fields, by name. */
export function fieldsOf(request: EndpointRequest | undefined): Readonly<Record<string, TSchema>> {
  const schema = request && 'schema' in request ? (request.schema as Partial<TObject>) : undefined;
  return schema?.properties ?? {};
}

// Each is chosen by the very kind that it is for.
export const kindOfRequest = ({ kind }: EndpointRequest) => requestKinds[kind] as RequestKind<EndpointRequest>;
export const kindOfResponse = ({ kind }: EndpointResponse) => responseKinds[kind] as ResponseKind<EndpointResponse>;
