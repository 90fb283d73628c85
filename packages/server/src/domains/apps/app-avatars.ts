import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { record } from '../audit/index.ts';
import { claimAvatar, type ImageFile, storeAvatar } from '../avatars/index.ts';
import { replaceIcon } from './app-icons.ts';
import { appSubject } from './app-subject.ts';
import { type App, getApp } from './apps.ts';

export async function setAppAvatar(ctx: AppCtx, file: ImageFile): Promise<App> {
  const stored = await storeAvatar(ctx, file);
  return tx(ctx, async (ctx) => {
    await claimAvatar(ctx, stored);
    return replaceAvatar(ctx, 'app.set_avatar', stored.path);
  });
}

export const deleteAppAvatar = (ctx: AppCtx): Promise<App> =>
  tx(ctx, (ctx) => replaceAvatar(ctx, 'app.delete_avatar', undefined));

async function replaceAvatar(
  ctx: AppCtx,
  action: 'app.set_avatar' | 'app.delete_avatar',
  path: string | undefined,
): Promise<App> {
  const before = await replaceIcon(ctx, path);
  if (path !== before) {
    await record(ctx, action, appSubject(ctx.app), { before: { icon_url: before }, after: { icon_url: path } });
  }
  return getApp(ctx);
}
