import { defineEvent } from '../../jobs/index.ts';

/** An owner is about to be deleted. Listeners add what of theirs must not go along, such as `apps (compass, sextant)`. */
export const ownerDeleting = defineEvent<{ ownerId: string; possessions: string[] }>('owner.deleting');

/** Somebody is no longer a member of an organization. */
export const memberRemoved = defineEvent<{ orgId: string; userId: string; email: string }>('org_member.removed');

/** The API tokens that an account made must end: those that act for it and, if said so, those that it made for apps. */
export const tokensRevoked = defineEvent<{ userId: string; alsoOfApps: boolean }>('account.tokens_revoked');
