import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/**
 * A published client sends this request without a body, so 411 would break it. A test in acceptance/clients runs the
 * client and compares its requests. Operations that delete or stop data must not have this exception.
 */
export interface OmittedBody {
  client: 'appcenter-cli 3.0.4';
  /** The command that sends the request. */
  command: string;
}

/** The context for writing a part of the OpenAPI document. */
export interface Describing {
  /** The schema in the document: a reference if it has a name. */
  refer(schema: TSchema): unknown;
  /** The request or response body of the example. */
  example: unknown;
  /** The error format of the operation. */
  errorBody: TSchema;
}

/** The parts of a typed call beside its path, query and headers. */
export interface Sent {
  body?: unknown;
  file?: Blob;
  files?: readonly Blob[];
  onProgress?(progress: unknown): void;
}

/** A body for fetch. A form sets its own content type, with a boundary. */
export interface Written {
  body?: BodyInit;
  type?: string;
}

export interface Sample {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/** How one kind of request is documented, sent by the client, and sent in examples. */
export interface RequestKind<R> {
  /** The content by media type. */
  describe(request: R, describing: Describing): Json;
  write(request: R, sent: Sent): Written;
  /** The body of an example as it is sent. */
  sample(request: R, example: unknown): Sample;
}

/** A response of an example. */
export interface ReceivedResponse {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
  /** Validates a value against a schema; empty if it is valid. */
  listErrors(schema: TSchema, value: unknown): unknown[];
}

/** How one kind of response is documented, read by the client, and checked in examples. */
export interface ResponseKind<R> {
  /** Errors that come with this kind of response. */
  errors?: readonly 416[];
  /** The statuses of success. All others are errors. */
  statuses(response: R): readonly number[];
  /** The documentation of each status. */
  describe(response: R, describing: Describing): Record<number, Json>;
  /** The Accept header. */
  accept(response: R, sent: Sent): string;
  read(response: R, httpResponse: Response, sent: Sent): unknown;
  /** The differences between the response of an example and the contract. */
  check(response: R, received: ReceivedResponse): unknown[];
}

export const withExample = (schema: unknown, example: unknown): Json => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

/** Reports an unexpected body or content type. */
export const problem = (isRight: boolean, what: string): string[] => (isRight ? [] : [what]);

export const getContentType = ({ headers }: ReceivedResponse): string => String(headers['content-type'] ?? '');
