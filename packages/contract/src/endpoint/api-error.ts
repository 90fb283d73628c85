import type { ErrorCode, HealthErrorCode } from '../errors.ts';

/** An error in any of the shapes that there are: of `/v0.1`, flat, or of OAuth. */
interface Body extends Problem {
  error?: Problem | string;
  error_description?: string;
}

interface Problem {
  /** A number where the status says it all. */
  code?: ErrorCode | HealthErrorCode | number;
  message?: string;
}

/** An answer that is not the success of its operation. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | HealthErrorCode | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(response: Pick<Response, 'status' | 'statusText' | 'headers'>, body: unknown) {
    const { error = body as Problem | undefined, error_description } = (body ?? {}) as Body;
    const { code, message } = typeof error === 'string' ? { message: error_description } : (error ?? {});
    super(message ?? `The server answered ${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.code = typeof code === 'number' ? undefined : code;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) || undefined;
  }
}
