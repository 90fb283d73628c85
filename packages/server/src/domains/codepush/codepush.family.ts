import type { ApiSurface } from '../../http/api-surfaces.ts';
import { unauthorized } from '../../kernel/errors.ts';

const isOurs = /^\/(v0\.1\/(public\/codepush|legacy)\/|updateCheck(?=[?]|$)|reportStatus\/)/;
const older = /^\/(?=updateCheck(?:[?]|$)|reportStatus\/)/;

/**
 * Requests of CodePush SDKs; older versions send them to the root of a server. Not rate-limited, because all devices of a
 * mobile network may share an address.
 */
export const codepushSurface: ApiSurface = {
  name: 'codepush',
  credentials: [],
  owns: (url) => isOurs.test(url),
  toCanonical: (url) => url.replace(older, '/v0.1/legacy/'),
  isUncounted: true,
  unauthenticated: unauthorized,
  error: ({ message }) => ({ message }),
};
