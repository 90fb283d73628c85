import { atLeast } from '@mooring/contract';
import type { Actor, Ctx, Deps } from '../../../context.ts';
import { defineScope } from '../../../http/access/scopes.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type AppRef, findAppGrant } from '../../apps/index.ts';
import { groupKey } from '../../groups/index.ts';
import { findAppGroup } from '../releases.store.ts';

/** Context for the releases of a group. */
export interface GroupReleasesCtx extends Ctx {
  app: AppRef;
  group: { id: string; name: string; isPublic: boolean };
}

declare module '../../../http/access/scopes.ts' {
  interface ScopeContexts {
    groupReleases: GroupReleasesCtx;
  }
}

const noGroup = (params: readonly string[]) =>
  new Failure(
    'NotFound',
    `No distribution group "${params.join('/')}" found, or you don't have access to it.`,
    {},
    'not_found',
  );

/**
 * Users with access to the app see the releases of each group, testers those of their groups, and anyone those of public
 * groups.
 */
async function find(deps: Deps, actor: Actor, [owner = '', app = '', group = '']: readonly string[]) {
  const row = await findAppGroup.first(deps.db, {
    ownerKey: owner.toLowerCase(),
    appKey: app.toLowerCase(),
    groupKey: groupKey(group),
    userId: actor.kind === 'user' ? actor.user.id : '',
  });
  if (!row) return undefined;
  const isOpen = row.is_public === 1 || row.member_id !== null;
  const grant = isOpen || actor.kind === 'anonymous' ? undefined : await findAppGrant(deps, actor, owner, app);
  if (!isOpen && !(grant && atLeast(grant.permission, 'viewer'))) return undefined;
  return {
    rank: 'groupReleases' as const,
    context: {
      app: { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name },
      group: { id: row.group_id, name: row.group_name, isPublic: row.is_public === 1 },
    },
  };
}

export const groupReleasesScope = defineScope({
  name: 'groupReleases',
  actors: ['user', 'app', 'anonymous'],
  params: [
    { in: 'path', name: 'owner_name' },
    { in: 'path', name: 'app_name' },
    { in: 'path', name: 'distribution_group_name' },
  ],
  find,
  notFound: noGroup,
  refuse: ({ params }) => noGroup(params),
});
