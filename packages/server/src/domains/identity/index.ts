import { defineDomain } from '../../domain.ts';
import { fetchJson } from '../../outbound/fetch-json.ts';
import { findBearerActor, isSigned } from './access-tokens.ts';
import { identityEvents } from './identity.events.ts';
import { identityJobs } from './identity.jobs.ts';
import { identityTables } from './identity.tables.ts';
import { identityRoutes } from './oauth.routes.ts';
import { oauthRoutes } from './oauth-protocol.routes.ts';
import { isClientOrigin } from './token-requests.ts';
import { trustedIssuerOf } from './trusted-issuer.ts';

export { consentEnded } from './identity.events.ts';
export { TRUSTED_ISSUER } from './subjects.ts';

export const identity = defineDomain({
  tables: identityTables,
  routes: [...identityRoutes, ...oauthRoutes],
  events: identityEvents,
  jobs: identityJobs,
  credentials: (deps) => {
    const trustedIssuer = trustedIssuerOf(deps, fetchJson);
    const find = (value: string) => findBearerActor({ ...deps, trustedIssuer }, value);
    return [{ name: 'oauth', sent: 'token', fits: isSigned, find }];
  },
  isClientOrigin,
});
