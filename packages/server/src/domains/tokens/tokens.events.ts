import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A token ends within a week; told again every day until then. */
export const tokenExpiring = defineEvent(
  'api_token.expiring',
  Type.Object({
    tokenId: Type.String(),
    /** Whom it acts for: an app, a service account of an organization, or the person who made it. */
    appId: Type.Optional(Type.String()),
    orgId: Type.Optional(Type.String()),
    userId: Type.String(),
    /** The name of the account that made it, or that it acts for. */
    holder: Type.String(),
    description: Type.Optional(Type.String()),
    expiresAt: Type.Integer(),
  }),
);

export const tokenEvents = [tokenExpiring];
