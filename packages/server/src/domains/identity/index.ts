import { defineDomain } from '../../domain.ts';
import { crossOriginReaders } from '../../extensions/cross-origin-readers.ts';
import { fetchJson } from '../../outbound/fetch-json.ts';
import { oauthRoutes } from './authorize/oauth-protocol.routes.ts';
import { isClientOrigin } from './authorize/token-requests.ts';
import { identityRoutes } from './clients/oauth.routes.ts';
import { deviceSignInRoutes } from './device/device-sign-ins.routes.ts';
import { identityEvents } from './identity.events.ts';
import { identityJobs } from './identity.jobs.ts';
import { identitySettings } from './identity.settings.ts';
import { identityTables } from './identity.tables.ts';
import { findBearerActor, isSigned } from './tokens/access-tokens.ts';
import { openTrustedIssuer } from './tokens/trusted-issuer.ts';

export { consentEnded } from './identity.events.ts';
export { TRUSTED_ISSUER } from './tokens/subjects.ts';

export const identity = defineDomain({
  settings: identitySettings,
  tables: identityTables,
  routes: [...identityRoutes, ...oauthRoutes, ...deviceSignInRoutes],
  events: identityEvents,
  jobs: identityJobs,
  credentials: (deps) => {
    const trustedIssuer = openTrustedIssuer(deps, fetchJson);
    const find = (value: string) => findBearerActor({ ...deps, trustedIssuer }, value);
    return [{ name: 'oauth', sent: 'token', fits: isSigned, find }];
  },
  extensions: [crossOriginReaders.add({ group: 'clients', isAllowed: isClientOrigin })],
});
