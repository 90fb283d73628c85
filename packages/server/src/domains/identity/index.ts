export { BearerFailure, findBearerActor } from './access-tokens.ts';
export { identityJobs } from './identity.jobs.ts';
export { identityRoutes } from './identity.routes.ts';
export { addOAuth } from './oauth.routes.ts';
export { type TrustedIssuer, trustedIssuerOf } from './trusted-issuer.ts';
