import type { Static, TSchema } from 'typebox';
import type { EndpointInput, EndpointSpec } from './endpoint.ts';
import type { FileExample } from './file.ts';

type Shown<T> = T extends object ? { readonly [K in keyof T]: Shown<T[K]> } : T;

/** A working call and its response. The API reference shows it and tests run it. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  response?: unknown;
}

type Part<Name extends string, T> =
  Record<never, never> extends T ? { readonly [K in Name]?: Shown<T> } : { readonly [K in Name]: Shown<T> };

type BodyExample<R> = R extends
  | { kind: 'json' | 'form' | 'parts'; schema: infer S extends TSchema }
  | { content: infer S extends TSchema }
  ? { readonly body: Shown<Static<S>> }
  : R extends { kind: 'file' | 'files' }
    ? { readonly body: FileExample }
    : R extends { kind: 'bytes' }
      ? { readonly body: string | object }
      : unknown;

type ResponseExample<R> = R extends { kind: 'json' | 'lines'; schema: infer S extends TSchema }
  ? { readonly response: Shown<Static<S>> }
  : unknown;

/** The type of an example: all required parts of the request, and the response. */
export type EndpointExample<E extends EndpointSpec> = Part<'params', EndpointInput<E>['params']> &
  Part<'query', EndpointInput<E>['query']> &
  Part<'headers', EndpointInput<E>['headers']> &
  BodyExample<E['request']> &
  ResponseExample<E['response']>;

/** An example for each endpoint of a contract module, by operation ID. */
export type EndpointExamples<Module> = {
  [K in keyof Module as Module[K] extends EndpointSpec ? K : never]: Module[K] extends EndpointSpec
    ? EndpointExample<Module[K]>
    : never;
};
