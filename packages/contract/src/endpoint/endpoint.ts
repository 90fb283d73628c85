import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorStatus, HealthErrorStatus } from '../errors.ts';
import type { Access, Raise } from '../permissions.ts';
import type { ApiSurface } from './api-surface.ts';
import type { ServerEvent } from './events.ts';
import type { Download } from './file.ts';
import type { EndpointRequest, EndpointResponse } from './kinds.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The kind of a call. A `read` changes nothing that users can see. A `change` is recorded in the audit log, and
 * rejected for Read-Only tokens and cross-site pages. An `ingest` is data of devices: rejected for the same callers,
 * but counted instead of recorded. The method does not decide: a POST may be a search.
 */
export type Effect = 'read' | 'change' | 'ingest';

export interface EndpointSpec {
  /** The operation ID, as existing clients know it. Also used in logs and metrics. */
  id: string;
  method: Method;
  path: string;
  /** The API surface: its errors, headers and credentials (default: `/v0.1`). */
  surface?: ApiSurface;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** The action of a change in permissions of tokens, if its method does not determine it. */
  tokenAction?: 'write' | 'delete' | 'distribute';
  /** Refused for tokens with permissions or other limits: the operation could lead around them, such as by a password. */
  needsUnlimited?: true;
  /** For any token, however limited, so that programs can check it. */
  describesCaller?: true;
  /** Only for users, not for app tokens. */
  only?: 'person';
  raises?: readonly Raise[];
  /** Additional access that depends on the request or on data. Shown in the documents only. */
  alsoNeeds?: string;
  /** Also accepts HTTP Basic (name or email, password), so that a script can create its first token. */
  basic?: true;
  /** In a session, needs a sign-in or a confirmation in the last 5 minutes. Other credentials are not affected. */
  confirms?: true;
  effect: Effect;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  /** The request body, if there is one. */
  request?: EndpointRequest;
  response: EndpointResponse;
  /**
   * The format of errors, if it differs from the API surface. `page`: HTML for people. `oauth`: as in RFC 6749.
   * `numbered`: the code is a number. `flat`: only code and message. `traced`: a number and the request ID.
   * `identified`: the request ID. `stated`: the code as status. `text`: only the sentence.
   */
  errorShape?: 'page' | 'oauth' | 'numbered' | 'flat' | 'traced' | 'identified' | 'stated' | 'text';
  /**
   * Which other sites may read responses: all, those of registered OAuth clients, or those that the operator allows to
   * send telemetry.
   */
  readableFrom?: 'anywhere' | 'clients' | 'senders';
  /** Errors in addition to those that any operation may return. */
  errors?: readonly (ErrorStatus | HealthErrorStatus)[];
}

export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

type StaticOrEmpty<S> = S extends TSchema ? Static<S> : Record<never, never>;

type RequestBody<R> = R extends { kind: 'json' | 'form' | 'parts'; schema: infer S extends TSchema }
  ? Static<S>
  : R extends { kind: 'bytes' }
    ? Uint8Array
    : Record<never, never>;

/** The parts of a request. */
export interface EndpointInput<E extends EndpointSpec> {
  params: StaticOrEmpty<E['params']>;
  query: StaticOrEmpty<E['query']>;
  headers: StaticOrEmpty<E['headers']>;
  body: RequestBody<E['request']>;
}

type ResponseBody<R> = R extends { kind: 'json' | 'lines'; schema: infer S extends TSchema }
  ? Static<S> | (R extends { mayBeEmpty: string } ? undefined : never)
  : R extends { kind: 'text' | 'redirect' }
    ? string
    : R extends { kind: 'file' }
      ? Download
      : R extends { kind: 'events'; schemas: infer S extends Readonly<Record<string, TSchema>> }
        ? AsyncIterable<ServerEvent<S>>
        : undefined;

/** The response body, or nothing if it is empty. */
export type EndpointOutput<E extends EndpointSpec> = ResponseBody<E['response']>;

export const isRead = ({ effect }: Pick<EndpointSpec, 'effect'>): boolean => effect === 'read';

/** The names in the `{…}` of a path, in order. */
export const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
