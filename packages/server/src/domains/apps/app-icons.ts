import type { AppCtx } from '../../context.ts';
import { discardAvatar, publicAvatar, shownAvatar } from '../avatars/index.ts';
import { lockAppIcon, updateAppRow } from './apps.store.ts';

/** Replaces the icon by a path on this server or a URL elsewhere. Returns the previous one. */
export async function replaceIcon(ctx: AppCtx, icon: string | undefined): Promise<string | undefined> {
  const { id } = ctx.app;
  const before = (await lockAppIcon.first(ctx.db, { id }))?.icon_url ?? undefined;
  if (icon !== before) {
    await updateAppRow.run(ctx.db, { id, icon_url: icon ?? null, updated_at: ctx.clock.now() });
    await discardAvatar(ctx, before);
  }
  return before;
}

/** The icon after an update: omitting it, or sending the shown URL, keeps it; an empty value removes it. */
export async function resolveIcon(
  ctx: AppCtx,
  requested: string | undefined,
  current: string | undefined,
): Promise<string | undefined> {
  const shown = [undefined, shownAvatar(ctx, current), publicAvatar(ctx, current)];
  if (shown.includes(requested)) return current;
  await replaceIcon(ctx, requested || undefined);
  return requested || undefined;
}
