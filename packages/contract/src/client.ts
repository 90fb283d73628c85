import type { Static, TSchema } from 'typebox';
import type { EndpointSpec, InputOf, OutputOf } from './endpoint/endpoint.ts';
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
  (E extends { stream: { progress: infer P extends TSchema } }
    ? { onProgress?(progress: Static<P>): void }
    : Record<never, never>) & {
    signal?: AbortSignal;
    /** Told the headers of the answer, such as its ETag. */
    onHeaders?(headers: Headers): void;
  };
type Arguments<E extends EndpointSpec> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

interface AnyInput {
  headers?: Record<string, string | undefined>;
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  file?: Blob;
  signal?: AbortSignal;
  onHeaders?(headers: Headers): void;
  onProgress?(progress: unknown): void;
}

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

const LINES = 'application/x-ndjson';

interface Line {
  progress?: unknown;
  report?: unknown;
  error?: Problem;
}

/** The answer of an operation that tells how far it is: the last line has it, or says what went wrong. */
async function readLines(response: Response, onProgress: (progress: unknown) => void): Promise<unknown> {
  // Not every browser can iterate over a stream.
  const reader = (response.body ?? new Blob().stream()).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let last: Line = {};
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      last = JSON.parse(line) as Line;
      if (last.progress !== undefined) onProgress(last.progress);
    }
  }
  // What fails after the first line can no longer change the status.
  if (last.error) throw new ApiError({ status: 500, statusText: '', headers: response.headers }, last);
  if (last.report !== undefined) return last.report;
  throw new TypeError('terminated', { cause: new Error('the answer ended before its report') });
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return isJson && text ? JSON.parse(text) : undefined;
}

/** fetch would send the word "undefined". */
const given = (headers: AnyInput['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

export type Client = <E extends EndpointSpec>(spec: E, ...args: Arguments<E>) => Promise<OutputOf<E>>;

/** `call(users_get)`: any operation of the endpoint table, with its types. */
export function createClient({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  return async (spec, ...[input = {}]) => {
    const sends = input as AnyInput;
    const { body: sent, type } = bodyOf(spec, sends);
    const response = await fetch(baseUrl + urlOf(spec, sends), {
      method: spec.method,
      headers: {
        accept: sends.onProgress ? `${LINES}, application/json` : 'application/json',
        ...(type ? { 'content-type': type } : {}),
        ...(token ? { 'x-api-token': token } : {}),
        ...given(sends.headers),
      },
      ...(sent === undefined ? {} : { body: sent }),
      ...(sends.signal ? { signal: sends.signal } : {}),
    });
    const isCreated = spec.mayCreate === true && response.status === 201;
    const isSuccess = response.status === spec.success.status || isCreated;
    if (isSuccess) sends.onHeaders?.(response.headers);
    const isLines = response.headers.get('content-type')?.startsWith(LINES) ?? false;
    const body = isSuccess && isLines && sends.onProgress ? readLines(response, sends.onProgress) : readJson(response);
    if (!isSuccess) throw new ApiError(response, await body);
    return (await body) as OutputOf<typeof spec>;
  };
}
