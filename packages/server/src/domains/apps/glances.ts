import { GLANCES } from '@mooring/contract';
import type { OrgCtx } from '../../context.ts';
import { shownAvatar } from '../avatars/index.ts';
import { listReadableApps } from './glances.store.ts';

/** The apps of an organization that changed last and that the caller may look into, with what every domain tells of them. */
export async function listGlances(ctx: OrgCtx) {
  if (ctx.actor.kind !== 'user') return [];
  const apps = await listReadableApps(ctx.db, { orgId: ctx.org.id, userId: ctx.actor.user.id, limit: GLANCES });
  const ids = apps.map(({ id }) => id);
  const told = ids.length > 0 ? await Promise.all(ctx.glances.map(({ read }) => read(ctx, ids))) : [];
  return apps.map(({ id, name, display_name, os, icon_url, updated_at }) => ({
    id,
    name,
    displayName: display_name,
    os,
    iconUrl: shownAvatar(ctx, icon_url ?? undefined),
    updatedAt: updated_at,
    ...Object.assign({}, ...told.map((of) => of.get(id) ?? {})),
  }));
}
