import type { AppCtx } from '../../context.ts';
import { discardAvatar, publicAvatar, shownAvatar } from '../avatars/index.ts';
import { lockAppIcon, updateAppRow } from './apps.store.ts';

/** Puts an icon, a path on this server or an address elsewhere, in the place of another; says which that was. */
export async function replaceIcon(ctx: AppCtx, icon: string | undefined): Promise<string | undefined> {
  const { id } = ctx.app;
  const before = (await lockAppIcon.first(ctx.db, { id }))?.icon_url ?? undefined;
  if (icon !== before) {
    await updateAppRow.run(ctx.db, { id, icon_url: icon ?? null, updated_at: ctx.clock.now() });
    await discardAvatar(ctx, before);
  }
  return before;
}

/** The icon after a change of settings: absent, or what was shown, leaves it; empty clears it. */
export async function settleIcon(
  ctx: AppCtx,
  wanted: string | undefined,
  current: string | undefined,
): Promise<string | undefined> {
  const shown = [undefined, shownAvatar(ctx, current), publicAvatar(ctx, current)];
  if (shown.includes(wanted)) return current;
  await replaceIcon(ctx, wanted || undefined);
  return wanted || undefined;
}
