import { type AppSummaryFields, MAX_APP_SUMMARIES, MAX_SUMMARIZED_APPS } from '@mooring/contract';
import type { OrgCtx, UserCtx } from '../../../context.ts';
import { appSummaries } from '../../../extensions/app-summaries.ts';
import { isPartAllowed } from '../../../extensions/part-needs.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { shownAvatar } from '../../avatars/index.ts';
import { listReadableApps, listReadableIds } from './app-summaries.store.ts';

/** Recently changed apps of an organization that the caller may view, with the summary of each domain. */
export async function listAppSummaries(ctx: OrgCtx) {
  if (ctx.actor.kind !== 'user') return [];
  const apps = await listReadableApps(ctx.db, {
    orgId: ctx.org.id,
    userId: ctx.actor.user.id,
    limit: MAX_APP_SUMMARIES,
  });
  const ids = apps.map(({ id }) => id);
  const quick = appSummaries.list(ctx).filter(({ isSlow, needs }) => !isSlow && isPartAllowed(ctx, needs));
  const summaries = ids.length > 0 ? await Promise.all(quick.map(({ read }) => read(ctx, ids))) : [];
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

/** Summaries of those of the apps that the caller may view, with figures of their telemetry. */
export async function summarizeApps(
  ctx: UserCtx,
  requested: readonly string[],
): Promise<(AppSummaryFields & { id: string })[]> {
  const unique = [...new Set(requested)];
  if (unique.length > MAX_SUMMARIZED_APPS)
    throw badRequest(`A request can have at most ${MAX_SUMMARIZED_APPS} apps. Request the others separately.`);
  const ids = (await listReadableIds(ctx.db, { ids: unique, userId: ctx.actor.user.id })).map(({ app_id }) => app_id);
  if (ids.length === 0) return [];
  const allowed = appSummaries.list(ctx).filter(({ needs }) => isPartAllowed(ctx, needs));
  const summaries = await Promise.all(allowed.map(({ read }) => read(ctx, ids)));
  return ids.map((id) => Object.assign({ id }, ...summaries.map((of) => of.get(id) ?? {})));
}
