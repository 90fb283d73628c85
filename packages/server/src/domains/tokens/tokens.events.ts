import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A token expires within a week; repeated daily until then. */
export const tokenExpiring = defineEvent(
  'api_token.expiring',
  Type.Object({
    tokenId: Type.String(),
    /** The app, or the organization of the service account, that the token acts for; neither for a user token. */
    appId: Type.Optional(Type.String()),
    orgId: Type.Optional(Type.String()),
    userId: Type.String(),
    /** Name of the account that created the token, or that it acts for. */
    holder: Type.String(),
    description: Type.Optional(Type.String()),
    expiresAt: Type.Integer(),
  }),
);

export const tokenEvents = [tokenExpiring];
