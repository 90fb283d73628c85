import type { ErrorCode, HealthErrorCode } from '../errors.ts';

interface Problem {
  code?: ErrorCode | HealthErrorCode;
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
    const { error = body as Problem | undefined } = (body ?? {}) as { error?: Problem };
    super(error?.message ?? `The server answered ${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.code = error?.code;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) || undefined;
  }
}
