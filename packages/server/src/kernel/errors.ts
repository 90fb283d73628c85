import { type ErrorCode, errorStatuses, type HealthErrorCode, healthErrorStatuses } from '@mooring/contract';

export type FailureCode = ErrorCode | HealthErrorCode;

/** The status of each code. The contract promises them to callers, and nothing else can be thrown at them. */
export const statusOf: Readonly<Record<FailureCode, number>> = { ...healthErrorStatuses, ...errorStatuses };

/** A failure that the caller is told about, in words made for them. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: FailureCode;
  readonly headers: Readonly<Record<string, string>>;
  /** The code of a protocol that is not ours, such as OAuth, where that is spoken. */
  readonly protocolCode: string | undefined;

  constructor(code: FailureCode, message: string, headers: Record<string, string> = {}, protocolCode?: string) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.protocolCode = protocolCode;
  }
}

export const badRequest = (message: string) => new Failure('BadRequest', message);
export const forbidden = (message: string) => new Failure('Forbidden', message);
export const conflict = (message: string) => new Failure('Conflict', message);
export const unavailable = (message: string) => new Failure('ServiceUnavailable', message, { 'retry-after': '1' });
export const notFound = (what: string, name?: string) =>
  new Failure('NotFound', name === undefined ? `No such ${what}.` : `No ${what} "${name}" that you can see.`);

/** For whoever notes a refusal; what is none may be right again when it is tried again. */
export function refusalIn(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  return error.message;
}

export const tooManyRequests = (message: string, retryAfterSeconds: number) =>
  new Failure('TooManyRequests', message, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) });

/** One message for every credential that does not hold, so that nobody learns why. */
export const unauthorized = () =>
  new Failure(
    'Unauthorized',
    'A valid credential is needed: send an API token in the header X-API-Token. It may be missing, mistyped, revoked or expired.',
    { 'www-authenticate': 'Bearer realm="Mooring"' },
  );
