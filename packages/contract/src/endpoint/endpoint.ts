import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorStatus, HealthErrorStatus } from '../errors.ts';
import type { AppPermission, OrgRole } from '../permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: everybody, any person, an administrator of the server, an operator of the health events, whoever may read
 * the subscription in the path, or a role in the organization or on the app in the path.
 */
export type Access =
  | 'public'
  | 'user'
  | 'admin'
  | 'operator'
  | 'subscription:reader'
  | `org:${OrgRole}`
  | `app:${AppPermission}`;

/** A file that is sent as multipart/form-data. */
export interface Upload {
  /** The name of the form's field. */
  field: string;
  maxBytes: number;
  /** Content types; the server looks at the content itself. */
  types: readonly string[];
}

/** A body that is too large to be read whole; a caller who accepts application/x-ndjson is told how far it is. */
export interface BodyStream {
  types: readonly string[];
  maxBytes: number;
  /** What it holds. */
  content: TSchema;
  /** The lines before the last one, which has the answer as `report`. */
  progress: TSchema;
}

export interface EndpointSpec {
  /** The operation's name, kept from the API that existing clients speak; it names the operation in logs and metrics too. */
  id: string;
  method: Method;
  path: string;
  /** Which family of clients it is made for: its errors, headers and ways of signing in. `/v0.1` if absent. */
  family?: 'health';
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Also takes HTTP Basic (name or e-mail, password), so that a script can make its first token. */
  basic?: true;
  /** A read whose answer rests on remembered tables only, so that it may be kept with the actor until one is written. */
  remembered?: true;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TObject;
  /** Instead of JSON, the body is a form with one file. */
  upload?: Upload;
  /** Instead of JSON that is checked whole, the body is taken piece by piece. */
  stream?: BodyStream;
  success: { status: 200 | 201 | 204; description: string; body?: TSchema };
  /** Answers 201 instead, with the same body, when it made something new. */
  mayCreate?: true;
  /** The answer is JSON text that was written before and is sent as it is; tests hold it against the schema. */
  rawJson?: true;
  /** The errors that this operation adds to those that every operation may answer. */
  errors?: readonly (ErrorStatus | HealthErrorStatus)[];
}

export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

type StaticOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

/** What the caller sends, by part. */
export interface InputOf<E extends EndpointSpec> {
  params: StaticOf<E['params']>;
  query: StaticOf<E['query']>;
  headers: StaticOf<E['headers']>;
  body: StaticOf<E['body']>;
}

/** What the caller gets back; nothing when the success answer has no body. */
export type OutputOf<E extends EndpointSpec> = E['success'] extends { body: infer B extends TSchema }
  ? Static<B>
  : undefined;

export const isHealth = (spec: Pick<EndpointSpec, 'family'> | undefined): boolean => spec?.family === 'health';

export const changesSomething = (spec: Pick<EndpointSpec, 'method'>): boolean => spec.method !== 'GET';

/** The names in a path's `{…}`, in order. */
export const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
