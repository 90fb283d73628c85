import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A person no longer lets a client, or the trusted issuer, act for them; without a person, nobody lets that client. */
export const consentEnded = defineEvent(
  'oauth_consent.ended',
  Type.Object({ clientId: Type.String(), userId: Type.Optional(Type.String()) }),
);

export const identityEvents = [consentEnded];
