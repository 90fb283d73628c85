import {
  privateUpdates_setUp,
  releases_getLatestPrivateRelease,
  updateTokens_delete,
  updateTokens_list,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import type { NoteInstall } from '../install/install-notes.ts';
import { readInstall } from './in-app-updates.ts';
import {
  deleteOwnUpdateToken,
  getLatestPrivate,
  getTesterByToken,
  listOwnUpdateTokens,
  setUpPrivateUpdates,
} from './private-updates.ts';

export const privateUpdateRoutes = (noteInstall: NoteInstall) => [
  route(releases_getLatestPrivateRelease, async (ctx, { query, headers }) => {
    const tester = await getTesterByToken(ctx, headers['x-api-token']);
    const installed = readInstall(ctx, query);
    if (installed) noteInstall({ ...installed, installer: tester.id, isUser: true });
    return getLatestPrivate(ctx, tester.id, query.udid);
  }),
  route(privateUpdates_setUp, async (ctx, { params, body }) => {
    const { isSetUp, redirectUrl, appName } = await setUpPrivateUpdates(ctx, params.app_secret, {
      releaseHash: body.release_hash,
      redirectId: body.redirect_id,
      requestId: body.request_id,
      platform: body.platform,
    });
    return { is_set_up: isSetUp, redirect_url: redirectUrl, app_display_name: appName };
  }),
  route(updateTokens_list, async (ctx) =>
    (await listOwnUpdateTokens(ctx)).map(({ id, platform, createdAt, app }) => ({
      id,
      platform,
      app: { owner_name: app.ownerName, name: app.name, display_name: app.displayName },
      created_at: toIso(createdAt),
    })),
  ),
  route(updateTokens_delete, (ctx, { params }) => deleteOwnUpdateToken(ctx, params.update_token_id)),
];
