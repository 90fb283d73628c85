import type { Static, TSchema } from 'typebox';
import { ApiError } from './endpoint/api-error.ts';
import type { EndpointSpec, InputOf, OutputOf } from './endpoint/endpoint.ts';
import { readProblem } from './endpoint/json.ts';
import type { Sent } from './endpoint/kind.ts';
import { kindOfRequest, kindOfResponse } from './endpoint/kinds.ts';

type Fetch = typeof globalThis.fetch;

export interface ClientOptions {
  /** Where the server is, without a trailing slash; empty in a page that it serves. */
  baseUrl: string;
  token?: string;
  fetch?: Fetch;
}

/** A part of the input may be left out when nothing in it is required. */
type Part<Name extends string, T> = Record<never, never> extends T ? { [K in Name]?: T } : { [K in Name]: T };
export type CallInput<E extends EndpointSpec> = Part<'params', InputOf<E>['params']> &
  Part<'query', InputOf<E>['query']> &
  Part<'headers', InputOf<E>['headers']> &
  Part<'body', InputOf<E>['body']> &
  (E extends { request: { kind: 'file' } } ? { file: Blob } : Record<never, never>) &
  (E extends { response: { kind: 'lines'; progress: infer P extends TSchema } }
    ? { onProgress?(progress: Static<P>): void }
    : Record<never, never>) & {
    signal?: AbortSignal;
    /** Told the headers of the answer, such as its ETag. */
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

/** A segment that is empty or only dots would turn the path into another one. */
function segment(name: string, value = ''): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}".`);
  return encodeURIComponent(value);
}

function urlOf(spec: EndpointSpec, input: AnyInput): string {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, input.params?.[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    // A list is its values, each under the same name; an empty one is nothing.
    for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** fetch would send the word "undefined". */
const given = (headers: AnyInput['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

export type Client = <E extends EndpointSpec>(spec: E, ...args: Arguments<E>) => Promise<OutputOf<E>>;

/** `call(users_get)`: any operation of the endpoint table, with its types. */
export function createClient({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  return async (spec, ...[input = {}]) => {
    const sends = input as AnyInput;
    const { request, response } = spec;
    const { body, type } = request ? kindOfRequest(request).write(request, sends) : {};
    const kind = kindOfResponse(response);
    const answer = await fetch(baseUrl + urlOf(spec, sends), {
      method: spec.method,
      headers: {
        accept: kind.accept(response, sends),
        ...(type ? { 'content-type': type } : {}),
        ...(token ? { 'x-api-token': token } : {}),
        ...given(sends.headers),
      },
      ...(body === undefined ? {} : { body }),
      ...(response.kind === 'redirect' ? { redirect: 'manual' as const } : {}),
      ...(sends.signal ? { signal: sends.signal } : {}),
    });
    if (!kind.statuses(response).includes(answer.status)) throw new ApiError(answer, await readProblem(answer));
    sends.onHeaders?.(answer.headers);
    return (await kind.read(response, answer, sends)) as OutputOf<typeof spec>;
  };
}
