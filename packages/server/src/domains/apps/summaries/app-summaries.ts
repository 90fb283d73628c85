import { MAX_APP_SUMMARIES } from '@mooring/contract';
import type { OrgCtx } from '../../../context.ts';
import { appSummaries } from '../../../extensions/app-summaries.ts';
import { shownAvatar } from '../../avatars/index.ts';
import { listReadableApps } from './app-summaries.store.ts';

/** Recently changed apps of an organization that the caller may view, with the summary of each domain. */
export async function listAppSummaries(ctx: OrgCtx) {
  if (ctx.actor.kind !== 'user') return [];
  const apps = await listReadableApps(ctx.db, {
    orgId: ctx.org.id,
    userId: ctx.actor.user.id,
    limit: MAX_APP_SUMMARIES,
  });
  const ids = apps.map(({ id }) => id);
  const summaries = ids.length > 0 ? await Promise.all(appSummaries.list(ctx).map(({ read }) => read(ctx, ids))) : [];
  return apps.map(({ id, name, display_name, os, icon_url, updated_at }) => ({
    id,
    name,
    displayName: display_name,
    os,
    iconUrl: shownAvatar(ctx, icon_url ?? undefined),
    updatedAt: updated_at,
    ...Object.assign({}, ...summaries.map((of) => of.get(id) ?? {})),
  }));
}
