import type { ErrorCode } from '@mooring/contract';
import type { ApiSurface } from '../../http/api-surfaces.ts';
import { errorBody } from '../../http/responses/errors.ts';
import { statusByCode, unauthorized } from '../../kernel/errors.ts';

const isOurs = /^\/logs(?=[?/]|$)/i;

/** Spreads the retries of devices. */
const retryAfterMs = (): number => 5000 + Math.floor(Math.random() * 10_000);

/**
 * API surface for SDKs in apps. They discard all stored logs for any 4xx except 408 (some also for 429) and stop until the app
 * restarts; after 5xx they retry at the time in the header.
 */
export const ingestionSurface: ApiSurface = {
  name: 'ingestion',
  credentials: [],
  owns: (url) => isOurs.test(url),
  toCanonical: (url) => url.replace(/^\/logs\/?(?=\?|$)/i, '/logs'),
  isUncounted: true,
  // Web pages of allowed origins can read this header.
  headers: ({ headers: { origin } }): Record<string, string> =>
    origin === undefined ? {} : { 'access-control-expose-headers': 'x-ms-retry-after-ms' },
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
  errorHeaders: ({ code, headers }): Record<string, number> =>
    statusByCode[code] >= 500 && !('x-ms-retry-after-ms' in headers) ? { 'x-ms-retry-after-ms': retryAfterMs() } : {},
};
