import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorStatus, HealthErrorStatus } from '../errors.ts';
import type { Access, Raise } from '../permissions.ts';
import type { ServerEvent } from './events.ts';
import type { EndpointFamily } from './family.ts';
import type { Download } from './file.ts';
import type { EndpointRequest, EndpointResponse } from './kinds.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a call does: a read leaves everything that people can see as it was; a change is recorded in the audit log, refused
 * to Read-Only tokens and to pages of other sites; ingestion is what devices send, refused to the same but not recorded
 * one by one, and counted by itself. The method does not tell: a POST may search.
 */
export type Effect = 'read' | 'change' | 'ingest';

export interface EndpointSpec {
  /** The operation's name, kept from the API that existing clients speak; it names the operation in logs and metrics too. */
  id: string;
  method: Method;
  path: string;
  /** Which family of clients it is made for: its errors, headers and ways of signing in. `/v0.1` if absent. */
  family?: EndpointFamily;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Of those who may call, people only: no app token. */
  only?: 'person';
  raises?: readonly Raise[];
  /** What it asks of callers beside that, which depends on what is there; the documents tell it. */
  alsoNeeds?: string;
  /** Also takes HTTP Basic (name or e-mail, password), so that a script can make its first token. */
  basic?: true;
  effect: Effect;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  /** What it takes beside its path, query and headers; nothing if absent. */
  request?: EndpointRequest;
  response: EndpointResponse;
  /** How its errors look, if not as those of its family: a page for people, the JSON of OAuth, with a number as code, code and message alone, the same with a number and the request, or with the id of the request, with the code as status, or the sentence alone. */
  errorShape?: 'page' | 'oauth' | 'numbered' | 'flat' | 'traced' | 'identified' | 'stated' | 'text';
  /**
   * Pages of other sites that may read its answers: all, those of registered OAuth clients, or those that the operator lets
   * send what SDKs send.
   */
  readableFrom?: 'anywhere' | 'clients' | 'senders';
  /** The errors that this operation adds to those that every operation may answer. */
  errors?: readonly (ErrorStatus | HealthErrorStatus)[];
}

export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

type StaticOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

type BodyOf<R> = R extends { kind: 'json' | 'form'; schema: infer S extends TSchema }
  ? Static<S>
  : R extends { kind: 'bytes' }
    ? Uint8Array
    : Record<never, never>;

/** What the caller sends, by part. */
export interface InputOf<E extends EndpointSpec> {
  params: StaticOf<E['params']>;
  query: StaticOf<E['query']>;
  headers: StaticOf<E['headers']>;
  body: BodyOf<E['request']>;
}

type AnswerOf<R> = R extends { kind: 'json' | 'lines'; schema: infer S extends TSchema }
  ? Static<S> | (R extends { mayBeEmpty: string } ? undefined : never)
  : R extends { kind: 'text' | 'redirect' }
    ? string
    : R extends { kind: 'file' }
      ? Download
      : R extends { kind: 'events'; schemas: infer S extends Readonly<Record<string, TSchema>> }
        ? AsyncIterable<ServerEvent<S>>
        : undefined;

/** What the caller gets back; nothing when the answer is empty. */
export type OutputOf<E extends EndpointSpec> = AnswerOf<E['response']>;

export const isRead = ({ effect }: Pick<EndpointSpec, 'effect'>): boolean => effect === 'read';

/** The names in a path's `{…}`, in order. */
export const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
