import {
  sentry_get,
  sentryKeys_create,
  sentryKeys_delete,
  sentryKeys_list,
  sentryKeys_update,
} from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { buildDsn } from './dsn.ts';
import { changeSdkKey, createSdkKey, getCurrentSdkKey, listSdkKeys, revokeSdkKey, type SdkKey } from './sdk-keys.ts';

const keyToWire = (ctx: Ctx, key: SdkKey) => ({
  public_key: key.publicKey,
  name: key.name,
  is_enabled: key.isEnabled,
  dsn: buildDsn(ctx.publicUrl(), key),
  created_at: toIso(key.createdAt),
  ends_at: key.endsAt === undefined ? undefined : toIso(key.endsAt),
});

export const sdkKeyRoutes = [
  route(sentry_get, async (ctx) => {
    const key = await getCurrentSdkKey(ctx);
    return { dsn: buildDsn(ctx.publicUrl(), key), project_id: key.projectId, public_key: key.publicKey };
  }),
  route(sentryKeys_list, async (ctx) => ({ values: (await listSdkKeys(ctx)).map((key) => keyToWire(ctx, key)) })),
  route(sentryKeys_create, async (ctx, { body }) => keyToWire(ctx, await createSdkKey(ctx, body.name))),
  route(sentryKeys_update, async (ctx, { params, body: { name, is_enabled } }) =>
    keyToWire(ctx, await changeSdkKey(ctx, params.public_key, { name, isEnabled: is_enabled })),
  ),
  route(sentryKeys_delete, (ctx, { params, query }) => revokeSdkKey(ctx, params.public_key, query.overlap_hours ?? 0)),
];
