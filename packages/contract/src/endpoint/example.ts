import type { Static, TSchema } from 'typebox';
import type { EndpointSpec, InputOf } from './endpoint.ts';
import type { FileExample } from './file.ts';

type Shown<T> = T extends object ? { readonly [K in keyof T]: Shown<T[K]> } : T;

/** One call that works, and its answer: it stands in the specification, and tests run it. */
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
  | { kind: 'json' | 'form'; schema: infer S extends TSchema }
  | { content: infer S extends TSchema }
  ? { readonly body: Shown<Static<S>> }
  : R extends { kind: 'file' }
    ? { readonly body: FileExample }
    : R extends { kind: 'bytes' }
      ? { readonly body: string | object }
      : unknown;

type ResponseExample<R> = R extends { kind: 'json' | 'lines'; schema: infer S extends TSchema }
  ? { readonly response: Shown<Static<S>> }
  : unknown;

/** An example of one endpoint: whatever it must be sent, and what it answers. */
export type ExampleOf<E extends EndpointSpec> = Part<'params', InputOf<E>['params']> &
  Part<'query', InputOf<E>['query']> &
  Part<'headers', InputOf<E>['headers']> &
  BodyExample<E['request']> &
  ResponseExample<E['response']>;

/** An example for every endpoint of a contract module, by its id. */
export type ExamplesOf<Module> = {
  [K in keyof Module as Module[K] extends EndpointSpec ? K : never]: Module[K] extends EndpointSpec
    ? ExampleOf<Module[K]>
    : never;
};
