import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/**
 * A user revoked the consent for a client, or for the trusted issuer; without a user, the client has lost all consents.
 */
export const consentEnded = defineEvent(
  'oauth_consent.ended',
  Type.Object({ clientId: Type.String(), userId: Type.Optional(Type.String()) }),
);

export const identityEvents = [consentEnded];
