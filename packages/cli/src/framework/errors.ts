import { ApiError } from '@mooring/contract';

/** A public contract: scripts rely on these. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, notSignedIn: 3, notFound: 4 } as const;

/** An error that the user can understand and act on. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: number;
  /** Says what to do next. */
  readonly advice: string | undefined;

  constructor(message: string, { exitCode = exitCodes.failed as number, advice = '' } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.advice = advice || undefined;
  }
}

export const wrongUsage = (message: string, advice?: string): Failure =>
  new Failure(message, { exitCode: exitCodes.usage, advice });

export const notSignedIn = (message: string, advice = 'Sign in: mooring login.'): Failure =>
  new Failure(message, { exitCode: exitCodes.notSignedIn, advice });

function fromApi({ status, message, retryAfter, requestId }: ApiError): Failure {
  if (status === 401) return notSignedIn(message, 'Sign in again (mooring login), or check MOORING_TOKEN.');
  if (status === 404) {
    return new Failure(message, { exitCode: exitCodes.notFound, advice: 'Check the name and your access.' });
  }
  if (status === 429 && retryAfter) return new Failure(message, { advice: `Try again in ${retryAfter} seconds.` });
  if (status >= 500) {
    return new Failure(message, {
      advice: `Try again. If it persists, report request ID ${requestId} to the administrator of the server.`,
    });
  }
  return new Failure(message);
}

/** Converts any thrown value to a message with advice and an exit code. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) return fromApi(error);
  const { message, stack } = error as Partial<Error>;
  return new Failure(`Internal error: ${message ?? String(error)}`, { advice: stack });
}
