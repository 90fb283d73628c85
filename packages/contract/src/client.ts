import type { Static, TSchema } from 'typebox';
import { readLines } from './answer-lines.ts';
import type { EndpointSpec, InputOf, OutputOf } from './endpoint.ts';
import type { ErrorCode, HealthErrorCode } from './errors.ts';

type Fetch = typeof globalThis.fetch;

export interface ClientOptions {
  /** Where the server is, without a trailing slash; empty in a page that it serves. */
  baseUrl: string;
  token?: string;
  fetch?: Fetch;
}

interface Problem {
  code?: ErrorCode | HealthErrorCode;
  message?: string;
}

/** An answer that is not the success of its operation. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | HealthErrorCode | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(response: Pick<Response, 'status' | 'statusText' | 'headers'>, body: unknown) {
    const { error = body as Problem | undefined } = (body ?? {}) as { error?: Problem };
    super(error?.message ?? `The server answered ${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.code = error?.code;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) || undefined;
  }
}

/** A part of the input may be left out when nothing in it is required. */
type Part<Name extends string, T> = Record<never, never> extends T ? { [K in Name]?: T } : { [K in Name]: T };
export type CallInput<E extends EndpointSpec> = Part<'params', InputOf<E>['params']> &
  Part<'query', InputOf<E>['query']> &
  Part<'headers', InputOf<E>['headers']> &
  Part<'body', InputOf<E>['body']> &
  (E extends { upload: object } | { stream: object } ? { file: Blob } : Record<never, never>) &
  (E extends { stream: { progress: infer Progress extends TSchema } }
    ? { onProgress?: (progress: Static<Progress>) => void }
    : Record<never, never>);
type Arguments<E extends EndpointSpec> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

interface AnyInput {
  headers?: Record<string, string | undefined>;
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  file?: Blob;
  onProgress?: (progress: never) => void;
}

const LINES = 'application/x-ndjson';

/** A segment that is empty or only dots would turn the path into another one. */
function segment(name: string, value = ''): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}".`);
  return encodeURIComponent(value);
}

function urlOf(spec: EndpointSpec, input: AnyInput): string {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, input.params?.[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** What a call sends; the browser adds the type of a form by itself, with its boundary. */
function bodyOf(spec: EndpointSpec, { body, file }: AnyInput): Pick<RequestInit, 'body'> & { type?: string } {
  if (spec.upload) {
    if (!file) throw new TypeError(`${spec.id} needs a file.`);
    const form = new FormData();
    form.append(spec.upload.field, file);
    return { body: form };
  }
  if (spec.stream) {
    if (!file) throw new TypeError(`${spec.id} needs a file.`);
    return { body: file, type: file.type || (spec.stream.types[0] ?? '') };
  }
  return spec.body ? { body: JSON.stringify(body ?? {}), type: 'application/json' } : {};
}

export type Client = <E extends EndpointSpec>(spec: E, ...args: Arguments<E>) => Promise<OutputOf<E>>;

/** `call(users_get)`: any operation of the endpoint table, with its types. */
export function createClient({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  return async (spec, ...[input = {}]) => {
    const sends = input as AnyInput;
    const { body: sent, type } = bodyOf(spec, sends);
    const response = await fetch(baseUrl + urlOf(spec, sends), {
      method: spec.method,
      headers: {
        accept: sends.onProgress ? LINES : 'application/json',
        ...(type ? { 'content-type': type } : {}),
        ...(token ? { 'x-api-token': token } : {}),
        ...(sends.headers as Record<string, string> | undefined),
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    if (sends.onProgress && response.ok && response.headers.get('content-type')?.startsWith(LINES)) {
      const { report, error } = await readLines(response, sends.onProgress);
      // What fails after the first line can no longer change the status.
      if (error) throw new ApiError({ status: 500, statusText: '', headers: response.headers }, error);
      return report as OutputOf<typeof spec>;
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = isJson && text ? JSON.parse(text) : undefined;
    const isCreated = spec.mayCreate === true && response.status === 201;
    if (response.status !== spec.success.status && !isCreated) throw new ApiError(response, body);
    return body as OutputOf<typeof spec>;
  };
}
