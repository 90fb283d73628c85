import { orgRoles, Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/**
 * An owner is about to be deleted. Listeners add their resources that block the deletion, such as `apps (compass, sextant)`.
 */
export const ownerDeleting = defineEvent(
  'owner.deleting',
  Type.Object({ ownerId: Type.String(), possessions: Type.Array(Type.String()) }),
);

/** A user became a member of an organization. */
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

/** A user is no longer a member of an organization. */
export const memberRemoved = defineEvent(
  'org_member.removed',
  Type.Object({ orgId: Type.String(), userId: Type.String(), email: Type.String() }),
);

/** A member of an organization now has a lower role. */
export const memberDemoted = defineEvent(
  'org_member.demoted',
  Type.Object({ orgId: Type.String(), userId: Type.String() }),
);

export const userDisabled = defineEvent('user.disabled', Type.Object({ userId: Type.String() }));

/**
 * The API tokens of an account must be revoked: those that act for it and, with `includesAppTokens`, the app tokens that it
 * created.
 */
export const tokensRevoked = defineEvent(
  'account.tokens_revoked',
  Type.Object({ userId: Type.String(), includesAppTokens: Type.Boolean() }),
);

export const accountEvents = [ownerDeleting, memberDemoted, memberJoined, memberRemoved, tokensRevoked, userDisabled];
