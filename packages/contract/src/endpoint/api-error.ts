import type { ErrorCode, HealthErrorCode } from '../errors.ts';

/** An error body in any of the formats: of `/v0.1`, flat, or OAuth. */
interface Body extends Problem {
  error?: Problem | string;
  error_description?: string;
}

interface Problem {
  /** A number if the code is the status. */
  code?: ErrorCode | HealthErrorCode | number;
  message?: string | undefined;
  target?: string;
}

/** A response that is not a success of its operation. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | HealthErrorCode | undefined;
  /** The field of the request that the error is about. */
  readonly target: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** The code of an error in the format of OAuth, such as `authorization_pending`. */
  readonly oauthError: string | undefined;
  /** The header X-Second-Factor. `required`: the password is right, but a code is missing or wrong. */
  readonly secondFactor: string | null;
  /** The header X-Confirmation: the person must confirm who they are, and the request can then be repeated. */
  readonly confirmation: string | null;

  constructor(response: Pick<Response, 'status' | 'statusText' | 'headers'>, body: unknown) {
    const { error = body as Problem | undefined, error_description } = (body ?? {}) as Body;
    const { code, message, target }: Problem =
      typeof error === 'string' ? { message: error_description } : (error ?? {});
    super(message ?? `The server responded with ${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.code = typeof code === 'number' ? undefined : code;
    this.target = target;
    this.oauthError = typeof error === 'string' ? error : undefined;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.secondFactor = response.headers.get('x-second-factor');
    this.confirmation = response.headers.get('x-confirmation');
    this.retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) || undefined;
  }
}
