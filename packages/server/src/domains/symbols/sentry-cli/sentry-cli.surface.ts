import { sentryCliSurface as contract } from '@mooring/contract';
import type { ApiSurface } from '../../../http/api-surfaces.ts';
import { Failure } from '../../../kernel/errors.ts';

const isOurs = /^\/api\/0(?=[/?]|$)/i;

/** API surface for sentry-cli and the build plug-ins that run it, which know errors with `detail` only. */
export const sentryCliSurface: ApiSurface = {
  name: contract.name,
  credentials: ['token', 'session'],
  owns: (url) => isOurs.test(url),
  toCanonical(url) {
    const [path = '', ...query] = url.split('?');
    return [path.endsWith('/') ? path : `${path}/`, ...query].join('?');
  },
  unauthenticated: () =>
    new Failure(
      'Unauthorized',
      'Missing or invalid credential. Set SENTRY_AUTH_TOKEN to an API token of this server, and check that it was not revoked and has not expired.',
      { 'www-authenticate': 'Bearer realm="Mooring"' },
    ),
  error: ({ message }) => ({ detail: message }),
};
