import type { Family } from '../../http/families.ts';
import { unauthorized } from '../../kernel/errors.ts';

const isOurs = /^\/(v0\.1\/(public\/codepush|legacy)\/|updateCheck(?=[?]|$)|reportStatus\/)/;
const older = /^\/(?=updateCheck(?:[?]|$)|reportStatus\/)/;

/**
 * What CodePush SDKs inside apps ask and report. Those of before ask at the root of a server. All devices behind the address of
 * a mobile network count as one, so that they are not counted.
 */
export const codepushFamily: Family = {
  name: 'codepush',
  credentials: [],
  owns: (url) => isOurs.test(url),
  toCanonical: (url) => url.replace(older, '/v0.1/legacy/'),
  isUncounted: true,
  unauthenticated: unauthorized,
  error: ({ message }) => ({ message }),
};
