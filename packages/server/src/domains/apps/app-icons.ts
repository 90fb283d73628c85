import type { AppCtx, Ctx } from '../../context.ts';
import { record } from '../audit/index.ts';
import { claimAvatar, discardAvatar, publicAvatar, type StoredAvatar, shownAvatar } from '../avatars/index.ts';
import { appSubject } from './app-subject.ts';
import { findAppIcon, lockAppIcon, updateAppRow } from './apps.store.ts';

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

export const hasIcon = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<boolean> =>
  Boolean((await findAppIcon.first(db, { id: appId }))?.icon_url);

/** Sets the icon of a package as the icon of its app, in the transaction that adds the package, if the app has none. */
export async function adoptIcon(ctx: Ctx, app: AppCtx['app'], stored: StoredAvatar): Promise<void> {
  // Otherwise the job of `storeAvatar` deletes the copy.
  if ((await lockAppIcon.first(ctx.db, { id: app.id }))?.icon_url) return;
  await claimAvatar(ctx, stored);
  await updateAppRow.run(ctx.db, { id: app.id, icon_url: stored.path });
  await record(ctx, 'app.set_avatar', appSubject(app), { after: { icon_url: stored.path } });
}
