import type { TSchema } from 'typebox';
import { type Json, type OmittedBody, problem, type RequestKind, type ResponseKind, withExample } from './kind.ts';

/** A JSON object or array. */
export interface JsonRequest<S extends TSchema = TSchema> {
  kind: 'json';
  schema: S;
  /** The media type of a protocol, accepted besides JSON. */
  mediaType?: string;
  bodyOmittedBy?: OmittedBody;
}

export interface JsonResponse<S extends TSchema = TSchema> {
  kind: 'json';
  schema: S;
  status: number;
  description: string;
  /** The media type of a protocol, instead of JSON. */
  mediaType?: string;
  /** Returns 201 instead, with the same body, if it created a resource. */
  mayCreate?: true;
  /** Returns 204 instead, without a body, in the case that this text describes. */
  mayBeEmpty?: string;
  /** The response is sent as prepared JSON text; tests validate it against the schema. */
  isWritten?: true;
  /** The response depends on cached tables only, so it may be cached with the actor until one of them changes. */
  isRemembered?: true;
  /** The Cache-Control header (default: not cacheable). */
  cache?: string;
}

type RequestOptions = Pick<JsonRequest, 'bodyOmittedBy' | 'mediaType'>;
type ResponseOptions = Partial<
  Pick<JsonResponse, 'status' | 'mediaType' | 'mayCreate' | 'mayBeEmpty' | 'isRemembered' | 'cache'>
> &
  Pick<JsonResponse, 'description'>;

export function json<S extends TSchema>(schema: S, options?: RequestOptions): JsonRequest<S>;
export function json<S extends TSchema>(
  schema: S,
  options: ResponseOptions & { isWritten: true },
): JsonResponse<S> & { isWritten: true };
export function json<S extends TSchema>(
  schema: S,
  options: ResponseOptions & { mayBeEmpty: string },
): JsonResponse<S> & { mayBeEmpty: string };
export function json<S extends TSchema>(schema: S, options: ResponseOptions): JsonResponse<S>;
export function json<S extends TSchema>(schema: S, options: RequestOptions | ResponseOptions = {}) {
  return 'description' in options
    ? { kind: 'json', schema, status: 200, ...options }
    : { kind: 'json', schema, ...options };
}

export const JSON_TYPE = 'application/json';

export const jsonRequest: RequestKind<JsonRequest> = {
  describe: ({ schema, mediaType = JSON_TYPE }, { refer, example }) => ({
    [mediaType]: withExample(refer(schema), example),
  }),
  write: ({ mediaType = JSON_TYPE }, { body = {} }) => ({ body: JSON.stringify(body), type: mediaType }),
  sample: ({ mediaType = JSON_TYPE }, example = {}) => ({ body: JSON.stringify(example), type: mediaType }),
};

/** The response may not be JSON: a proxy may return an HTML error page. */
export async function readJson(httpResponse: Response): Promise<unknown> {
  const text = await httpResponse.text();
  const isJson = httpResponse.headers.get('content-type')?.includes('json') ?? false;
  return isJson && text ? JSON.parse(text) : undefined;
}

/** Reads an error: JSON in one of its formats, or plain text. */
export async function readProblem(httpResponse: Response): Promise<unknown> {
  const isText = httpResponse.headers.get('content-type')?.startsWith('text/plain') ?? false;
  return isText ? { message: await httpResponse.text() } : readJson(httpResponse);
}

export const jsonResponse: ResponseKind<JsonResponse> = {
  statuses: ({ status, mayCreate, mayBeEmpty }) => [status, ...(mayCreate ? [201] : []), ...(mayBeEmpty ? [204] : [])],
  describe({ schema, status, description, mediaType = JSON_TYPE, mayCreate, mayBeEmpty }, { refer, example }) {
    const content = { [mediaType]: withExample(refer(schema), example) };
    const created = { description: 'The new resource, with the same body.', content };
    const described: Record<number, Json> = { [status]: { description, content } };
    if (mayCreate) described[201] = created;
    if (mayBeEmpty) described[204] = { description: mayBeEmpty };
    return described;
  },
  accept: ({ mediaType = JSON_TYPE }) => mediaType,
  read: (_, httpResponse) => readJson(httpResponse),
  check: ({ schema, mayBeEmpty, mediaType = JSON_TYPE }, { status, body, headers, listErrors }) =>
    mayBeEmpty && status === 204
      ? problem(body === '', 'the response has a body')
      : String(headers['content-type']).startsWith(mediaType)
        ? listErrors(schema, JSON.parse(body))
        : problem(false, `the response is not JSON but ${headers['content-type']}`),
};
