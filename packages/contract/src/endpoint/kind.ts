import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/**
 * A published client that sends this request without a body, so that 411 would break it. A test in acceptance/clients runs
 * the client and compares the requests it sends; nothing that deletes or stops data may have such an exception.
 */
export interface OmittedBody {
  client: 'appcenter-cli 3.0.4';
  /** The command that sends it. */
  command: string;
}

/** What is at hand when a kind writes its part of the specification. */
export interface Describing {
  /** A schema as it stands in the document: one that has a name becomes a reference. */
  refer(schema: TSchema): unknown;
  /** The body of the operation's example, of the request or of the answer. */
  example: unknown;
  /** The shape of the operation's errors. */
  errorBody: TSchema;
}

/** What a call of the typed client sends beside its path, query and headers. */
export interface Sent {
  body?: unknown;
  file?: Blob;
  onProgress?(progress: unknown): void;
}

/** A body as fetch takes it; a form brings its own type, with its boundary. */
export interface Written {
  body?: BodyInit;
  type?: string;
}

export interface Sample {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/** What one kind of request means to the specification, to the typed client and to whoever runs examples. */
export interface RequestKind<R> {
  /** Its content, by media type. */
  describe(request: R, describing: Describing): Json;
  write(request: R, sent: Sent): Written;
  /** The body of an example, as it goes over the wire. */
  sample(request: R, example: unknown): Sample;
}

/** What came back, as whoever runs examples sees it. */
export interface Answered {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
  /** The errors of a value under a schema; none if it fits. */
  errorsOf(schema: TSchema, value: unknown): unknown[];
}

/** What one kind of response means to them. */
export interface ResponseKind<R> {
  /** Errors that come with this kind. */
  errors?: readonly 416[];
  /** The statuses of success; whatever else comes back is an error. */
  statuses(response: R): readonly number[];
  /** What is said of each of those statuses. */
  describe(response: R, describing: Describing): Record<number, Json>;
  /** The Accept header. */
  accept(response: R, sent: Sent): string;
  read(response: R, answer: Response, sent: Sent): unknown;
  /** What is wrong with the answer to an example. */
  check(response: R, answered: Answered): unknown[];
}

export const withExample = (schema: unknown, example: unknown): Json => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

/** A body that is not empty, or not of the type that was promised. */
export const problem = (isRight: boolean, what: string): string[] => (isRight ? [] : [what]);

export const typeOf = ({ headers }: Answered): string => String(headers['content-type'] ?? '');
