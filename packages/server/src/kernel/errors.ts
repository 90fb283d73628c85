import { type ErrorCode, errorStatuses, type HealthErrorCode, healthErrorStatuses } from '@mooring/contract';

export type FailureCode = ErrorCode | HealthErrorCode;

/** HTTP status of each error code. The contract defines the codes that callers may receive; there are no others. */
export const statusByCode: Readonly<Record<FailureCode, number>> = { ...healthErrorStatuses, ...errorStatuses };

/** An error that is reported to the caller with its message. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: FailureCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Error code of another protocol, such as OAuth, for its endpoints. */
  readonly protocolCode: string | undefined;
  /** The field of the request that the error is about. */
  readonly target: string | undefined;

  constructor(
    code: FailureCode,
    message: string,
    headers: Record<string, string> = {},
    protocolCode?: string,
    target?: string,
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.protocolCode = protocolCode;
    this.target = target;
  }
}

export const badRequest = (message: string) => new Failure('BadRequest', message);
export const forbidden = (message: string) => new Failure('Forbidden', message);
export const conflict = (message: string, target?: string) => new Failure('Conflict', message, {}, undefined, target);
export const unavailable = (message: string) => new Failure('ServiceUnavailable', message, { 'retry-after': '1' });
export const notFound = (what: string, name?: string) =>
  new Failure(
    'NotFound',
    name === undefined ? `No such ${what}.` : `No ${what} "${name}" found, or you don't have access to it.`,
  );

/** Message of a refusal, to be stored. Rethrows other errors, because a retry may succeed. */
export function refusalIn(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  return error.message;
}

export const tooManyRequests = (message: string, retryAfterSeconds: number) =>
  new Failure('TooManyRequests', message, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) });

/** One message for every invalid credential, so that it does not reveal the reason. */
export const unauthorized = () =>
  new Failure(
    'Unauthorized',
    'Missing or invalid credential. Send an API token in the header X-API-Token, and check that it was not revoked and has not expired.',
    { 'www-authenticate': 'Bearer realm="Mooring"' },
  );
