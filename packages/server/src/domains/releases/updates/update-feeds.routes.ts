import { hash } from 'node:crypto';
import { releases_getAppcast, releases_getAppInstaller, releases_getSparkleFeed } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { getAppInstaller, getGroupAppcast, getPublicAppcast } from './update-feeds.ts';

const toTextResponse = (text: string) => ({ text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` });

export const updateFeedRoutes = [
  route(releases_getSparkleFeed, async (ctx) => toTextResponse(await getPublicAppcast(ctx))),
  route(releases_getAppcast, async (ctx) => toTextResponse(await getGroupAppcast(ctx))),
  route(releases_getAppInstaller, async (ctx) => ({
    ...toTextResponse(await getAppInstaller(ctx)),
    // Windows recognizes it by its extension.
    name: `${ctx.app.name}.appinstaller`,
  })),
];
