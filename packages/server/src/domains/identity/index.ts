export { BearerFailure, findBearerActor } from './access-tokens.ts';
export { identityRoutes } from './identity.routes.ts';
export { rotateDueKeys } from './keys.ts';
export { addOAuth } from './oauth.routes.ts';
export { sweepCodes } from './token-requests.ts';
export { type TrustedIssuer, trustedIssuerOf } from './trusted-issuer.ts';
