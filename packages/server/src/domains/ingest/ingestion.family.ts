import type { ErrorCode } from '@mooring/contract';
import { errorBody } from '../../http/errors.ts';
import type { Family } from '../../http/families.ts';
import { statusOf, unauthorized } from '../../kernel/errors.ts';

const isOurs = /^\/logs(?=[?/]|$)/i;

/** Devices that were told to wait come back one by one. */
const retryAfterMs = (): number => 5000 + Math.floor(Math.random() * 10_000);

/**
 * What SDKs inside apps send to. They throw away all that they have for any 4xx but 408 (and some for 429), and stop until
 * the app is started again; for 5xx they come again, when the header says so.
 */
export const ingestionFamily: Family = {
  name: 'ingestion',
  credentials: [],
  owns: (url) => isOurs.test(url),
  toCanonical: (url) => url.replace(/^\/logs\/?(?=\?|$)/i, '/logs'),
  isUncounted: true,
  // Pages read this one too, where they may send.
  headers: ({ headers: { origin } }): Record<string, string> =>
    origin === undefined ? {} : { 'access-control-expose-headers': 'x-ms-retry-after-ms' },
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
  errorHeaders: ({ code, headers }): Record<string, number> =>
    statusOf[code] >= 500 && !('x-ms-retry-after-ms' in headers) ? { 'x-ms-retry-after-ms': retryAfterMs() } : {},
};
