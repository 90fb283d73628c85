import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorStatus } from './errors.ts';
import type { AppPermission, OrgRole } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: everybody, any person, an administrator of the server, or a role in the organization or on the app in the path. */
export type Access = 'public' | 'user' | 'admin' | `org:${OrgRole}` | `app:${AppPermission}`;

/** A file that is sent as multipart/form-data. */
export interface Upload {
  /** The name of the form's field. */
  field: string;
  maxBytes: number;
  /** Content types; the server looks at the content itself. */
  types: readonly string[];
}

export interface EndpointSpec {
  /** The operation's name, kept from the API that existing clients speak; it names the operation in logs and metrics too. */
  id: string;
  method: Method;
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Also takes HTTP Basic (name or e-mail, password), so that a script can make its first token. */
  basic?: true;
  /** A read whose answer changes only with the authority epoch, so that it may be kept with the actor until then. */
  remembered?: true;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** Instead of JSON, the body is a form with one file. */
  upload?: Upload;
  success: { status: 200 | 201 | 204; description: string; body?: TSchema };
  /** The errors that this operation adds to those that every operation may answer. */
  errors?: readonly ErrorStatus[];
  example: {
    params?: Record<string, string>;
    query?: Record<string, string | number>;
    body?: unknown;
    response?: unknown;
  };
}

export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

type StaticOf<S> = S extends TSchema ? Static<S> : Record<never, never>;

/** What the caller sends, by part. */
export interface InputOf<E extends EndpointSpec> {
  params: StaticOf<E['params']>;
  query: StaticOf<E['query']>;
  body: StaticOf<E['body']>;
}

/** What the caller gets back; nothing when the success answer has no body. */
export type OutputOf<E extends EndpointSpec> = E['success'] extends { body: infer B extends TSchema }
  ? Static<B>
  : undefined;

export const changesSomething = (spec: Pick<EndpointSpec, 'method'>): boolean => spec.method !== 'GET';

/** The names in a path's `{…}`, in order. */
export const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
