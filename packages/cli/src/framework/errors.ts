import { ApiError } from '@mooring/contract';

/** What scripts can rely on. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, notSignedIn: 3, notFound: 4 } as const;

/** Something that the person at the keyboard can understand and act on. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: number;
  /** What to do next. */
  readonly advice: string | undefined;

  constructor(message: string, { exitCode = exitCodes.failed as number, advice = '' } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.advice = advice || undefined;
  }
}

export const wrongUsage = (message: string, advice?: string): Failure =>
  new Failure(message, { exitCode: exitCodes.usage, advice });

export const notSignedIn = (message: string, advice = 'Sign in with "mooring login".'): Failure =>
  new Failure(message, { exitCode: exitCodes.notSignedIn, advice });

function fromApi({ status, message, retryAfter, requestId }: ApiError): Failure {
  if (status === 401) return notSignedIn(message, 'Sign in again with "mooring login", or check MOORING_TOKEN.');
  if (status === 404) {
    return new Failure(message, { exitCode: exitCodes.notFound, advice: 'Check the name, and that you may see it.' });
  }
  if (status === 429 && retryAfter) return new Failure(message, { advice: `Try again in ${retryAfter} seconds.` });
  if (status >= 500) {
    return new Failure(message, { advice: `Try again; if it stays, tell the operator the request id ${requestId}.` });
  }
  return new Failure(message);
}

/** Turns anything thrown into what to print and the exit code. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return fromApi(error);
  const { message, stack } = error as Partial<Error>;
  return new Failure(`This is a fault of mooring: ${message ?? String(error)}`, { advice: stack });
}
