import { orgRoles, Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** An owner is about to be deleted. Listeners add what of theirs must not go along, such as `apps (compass, sextant)`. */
export const ownerDeleting = defineEvent(
  'owner.deleting',
  Type.Object({ ownerId: Type.String(), possessions: Type.Array(Type.String()) }),
);

/** Somebody became a member of an organization. */
export const memberJoined = defineEvent(
  'org_member.joined',
  Type.Object({
    orgId: Type.String(),
    userId: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    role: Type.Enum([...orgRoles]),
  }),
);

/** Somebody is no longer a member of an organization. */
export const memberRemoved = defineEvent(
  'org_member.removed',
  Type.Object({ orgId: Type.String(), userId: Type.String(), email: Type.String() }),
);

/** A member of an organization has a lower role than before. */
export const memberDemoted = defineEvent(
  'org_member.demoted',
  Type.Object({ orgId: Type.String(), userId: Type.String() }),
);

/** An account can no longer sign in. */
export const userDisabled = defineEvent('user.disabled', Type.Object({ userId: Type.String() }));

/** The API tokens that an account made must end: those that act for it and, if said so, those that it made for apps. */
export const tokensRevoked = defineEvent(
  'account.tokens_revoked',
  Type.Object({ userId: Type.String(), alsoOfApps: Type.Boolean() }),
);

export const accountEvents = [ownerDeleting, memberDemoted, memberJoined, memberRemoved, tokensRevoked, userDisabled];
