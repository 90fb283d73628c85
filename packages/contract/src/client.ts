import type { Static, TSchema } from 'typebox';
import { ApiError } from './endpoint/api-error.ts';
import type { EndpointInput, EndpointOutput, EndpointSpec } from './endpoint/endpoint.ts';
import { readProblem } from './endpoint/json.ts';
import type { Sent } from './endpoint/kind.ts';
import { getRequestKind, getResponseKind } from './endpoint/kinds.ts';

type Fetch = typeof globalThis.fetch;

export interface ClientOptions {
  /** The URL of the server without a trailing slash. Empty in pages that the server itself serves. */
  baseUrl: string;
  token?: string;
  fetch?: Fetch;
}

/** Makes a part of the input optional if none of its fields is required. */
type Part<Name extends string, T> = Record<never, never> extends T ? { [K in Name]?: T } : { [K in Name]: T };
export type CallInput<E extends EndpointSpec> = Part<'params', EndpointInput<E>['params']> &
  Part<'query', EndpointInput<E>['query']> &
  Part<'headers', EndpointInput<E>['headers']> &
  Part<'body', EndpointInput<E>['body']> &
  (E extends { request: { kind: 'file' | 'files' } } ? { file: Blob } : Record<never, never>) &
  (E extends { request: { kind: 'parts' } } ? { files?: readonly Blob[] } : Record<never, never>) &
  (E extends { response: { kind: 'lines'; progress: infer P extends TSchema } }
    ? { onProgress?(progress: Static<P>): void }
    : Record<never, never>) & {
    signal?: AbortSignal;
    /** Receives the headers of the response, such as its ETag. */
    onHeaders?(headers: Headers): void;
  };
type Arguments<E extends EndpointSpec> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

interface AnyInput extends Sent {
  headers?: Record<string, string | undefined>;
  params?: Record<string, string>;
  query?: Record<string, string | number | string[] | undefined>;
  signal?: AbortSignal;
  onHeaders?(headers: Headers): void;
}

/** An empty segment, or one of dots only, would change the path. */
function segment(name: string, value = ''): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}".`);
  return encodeURIComponent(value);
}

function buildUrl(spec: EndpointSpec, input: AnyInput): string {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, input.params?.[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    // A list becomes one parameter per value; an empty list becomes none.
    for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** fetch would send the string "undefined". */
const omitUndefined = (headers: AnyInput['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

export type Client = <E extends EndpointSpec>(spec: E, ...args: Arguments<E>) => Promise<EndpointOutput<E>>;

/** `call(users_get)`: calls any operation of the contract with its types. */
export function createClient({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  return async (spec, ...[input = {}]) => {
    const sends = input as AnyInput;
    const { request, response } = spec;
    const { body, type } = request ? getRequestKind(request).write(request, sends) : {};
    const kind = getResponseKind(response);
    const httpResponse = await fetch(baseUrl + buildUrl(spec, sends), {
      method: spec.method,
      headers: {
        accept: kind.accept(response, sends),
        ...(type ? { 'content-type': type } : {}),
        ...(token ? { 'x-api-token': token } : {}),
        ...omitUndefined(sends.headers),
      },
      ...(body === undefined ? {} : { body }),
      ...(response.kind === 'redirect' ? { redirect: 'manual' as const } : {}),
      ...(sends.signal ? { signal: sends.signal } : {}),
    });
    if (!kind.statuses(response).includes(httpResponse.status))
      throw new ApiError(httpResponse, await readProblem(httpResponse));
    sends.onHeaders?.(httpResponse.headers);
    return (await kind.read(response, httpResponse, sends)) as EndpointOutput<typeof spec>;
  };
}
