import { sentrySurface as contract } from '@mooring/contract';
import type { ApiSurface } from '../../http/api-surfaces.ts';
import { badRequest, type Failure, tooManyRequests, unauthorized } from '../../kernel/errors.ts';

const isOurs = /^\/api\/[^/?]{1,100}\/(?:envelope|store|minidump)\/?(?=\?|$)/i;

/** SDKs pause for this long if the server does not say how long. */
const DEFAULT_PAUSE_SECONDS = 10;
const MAX_HEADER_LENGTH = 200;

function getPauseSeconds({ headers }: Failure): number {
  const seconds = Math.ceil(Number(headers['retry-after'] ?? DEFAULT_PAUSE_SECONDS));
  // Spreads the retries of devices.
  return Math.max(1, seconds) + Math.floor(Math.random() * DEFAULT_PAUSE_SECONDS);
}

/** Text that a header can hold. */
const toHeader = (text: string): string => text.replace(/[^ -~]/g, '?').slice(0, MAX_HEADER_LENGTH);

/**
 * API surface for Sentry SDKs in apps. They drop what they sent on any error, and after 5xx continue at full speed; only 429 makes
 * them pause. So overload is a 429, and a missing body is a malformed one instead of a 411.
 */
export const sentrySurface: ApiSurface = {
  name: contract.name,
  credentials: [],
  owns: (url) => isOurs.test(url),
  toCanonical: (url) => {
    const [path = '', ...query] = url.split('?');
    const canonical = path.toLowerCase();
    return [canonical.endsWith('/') ? canonical : `${canonical}/`, ...query].join('?');
  },
  isUncounted: true,
  // Web pages of allowed origins can read these headers.
  headers: ({ headers: { origin } }): Record<string, string> =>
    origin === undefined
      ? {}
      : { 'access-control-expose-headers': 'x-sentry-rate-limits, retry-after, x-sentry-error' },
  unauthenticated: unauthorized,
  translate: (failure) => {
    if (failure.code === 'ServiceUnavailable') return tooManyRequests(failure.message, getPauseSeconds(failure));
    return failure.code === 'LengthRequired'
      ? badRequest('The body is empty. Send at least the header of an envelope.')
      : failure;
  },
  error: ({ message }) => ({ detail: message, causes: [] }),
  errorHeaders: ({ code, message, headers }): Record<string, string> => ({
    'x-sentry-error': toHeader(message),
    // For all categories. SDKs for .NET need a whole number and a scope.
    ...(code === 'TooManyRequests' ? { 'x-sentry-rate-limits': `${headers['retry-after']}::project` } : {}),
  }),
};
