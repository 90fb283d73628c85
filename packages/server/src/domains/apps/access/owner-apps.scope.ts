import type { AppActor, Ctx, UserActor } from '../../../context.ts';
import { defineScope } from '../../../http/access/scopes.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import { findAppRef } from '../apps.ts';
import { findDevelopedOwner } from './owner-apps.store.ts';

/** Context of operations on apps of one owner, which the body names. */
export interface OwnerAppsCtx extends Ctx {
  actor: UserActor | AppActor;
  owner: { id: string; name: string };
}

declare module '../../../http/access/scopes.ts' {
  interface ScopeContexts {
    ownerApps: OwnerAppsCtx;
  }
}

/** An owner with an app that the caller may develop. Operations check the apps that they change. */
export const ownerAppsScope = defineScope({
  name: 'ownerApps',
  actors: ['user', 'app'],
  params: [{ in: 'path', name: 'owner_name' }],
  isHidden: true,
  async find({ db }, actor: UserActor | AppActor, [name = '']) {
    const ownerKey = name.toLowerCase();
    if (actor.kind === 'user') {
      const owner = await findDevelopedOwner.first(db, { ownerKey, userId: actor.user.id });
      return owner && { rank: 'ownerApps' as const, context: { owner } };
    }
    const app = await findAppRef({ db }, actor.appId);
    if (app?.ownerName.toLowerCase() !== ownerKey) return undefined;
    const rank = actor.tokenScope === 'all' ? ('ownerApps' as const) : undefined;
    return { rank, context: { owner: { id: app.ownerId, name: app.ownerName } } };
  },
  notFound: ([name]) => notFound('organization', name),
  refuse: () => forbidden('A Read-Only token of an app cannot upload anything. Use a Full Access token.'),
});
