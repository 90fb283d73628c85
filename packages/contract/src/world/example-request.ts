import type { EndpointSpec } from '../endpoint/endpoint.ts';
import { kindOfRequest } from '../endpoint/kinds.ts';
import { exampleOf } from '../examples.ts';

/** A request as it goes over the wire. */
export interface ExampleRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** Puts what the world made in the place of what an example shows, wherever it stands. */
function putIn<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (typeof value === 'string')
    return [...ids].reduce<string>((text, [from, to]) => text.replaceAll(from, to), value) as T;
  if (Array.isArray(value)) return value.map((item) => putIn(item, ids)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, putIn(item, ids)])) as T;
}

function payloadOf({ request }: EndpointSpec, example: unknown): Pick<ExampleRequest, 'headers' | 'body'> {
  if (!request) return { headers: {} };
  const { type, body } = kindOfRequest(request).sample(request, example);
  return { headers: { 'content-type': type }, body };
}

export interface ExampleOptions {
  /** What an example shows → what stands for it. */
  ids?: ReadonlyMap<string, string>;
  /** Other parameters than the example's. */
  params?: Readonly<Record<string, string>>;
}

/** The example of an operation, as a request. */
export function exampleRequest(spec: EndpointSpec, { ids = new Map(), params }: ExampleOptions = {}): ExampleRequest {
  const example = exampleOf(spec);
  const inPath = { ...putIn(example.params ?? {}, ids), ...params };
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? 'none'));
  const query = Object.entries(putIn(example.query ?? {}, ids)).map(([name, value]) => [name, String(value)]);
  const { headers, body } = payloadOf(spec, putIn(example.body, ids));
  return {
    method: spec.method,
    url: query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    headers: { ...putIn(example.headers, ids), ...headers },
    ...(body === undefined ? {} : { body }),
  };
}
