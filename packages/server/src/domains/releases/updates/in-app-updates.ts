import type { Ctx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type AppRef, type AppSecretCtx, getApp } from '../../apps/index.ts';
import type { InstallRow } from '../install/install-rows.ts';
import { type Destination, type Release, toRelease } from '../releases.ts';
import { releaseToWire } from '../releases.wire.ts';
import { findLatestInPublicGroup, findLatestPublic, listPublicGroupsWithHash } from './in-app-updates.store.ts';

export const noReleases = (): Failure =>
  new Failure('NotFound', 'There is no release for this device.', {}, 'no_releases_for_user');

type InApp = Ctx & { app: AppRef };

type Latest = NonNullable<Awaited<ReturnType<typeof findLatestPublic.first>>>;

export const groupDestination = (row: Latest): Destination => ({
  type: 'group',
  id: row.group_id,
  name: row.name,
  displayName: row.display_name ?? row.name,
  isPublic: row.is_public === 1,
  isMandatory: row.is_mandatory === 1,
  isLatest: true,
});

/**
 * Builds the response for a device. Of the destinations, it includes only the one through which the device has the release.
 */
export async function buildUpdateResponse(
  ctx: InApp,
  release: Release,
  by: Destination,
  udid?: string,
): Promise<string> {
  const app = await getApp({ ...ctx, permission: 'tester' });
  const view = { groupId: by.type === 'group' ? by.id : undefined, udid };
  const { download_count, ...details } = releaseToWire(ctx, app, { ...release, destinations: [by] }, view);
  // NOTE: SDKs for Android refuse a response without these fields, even unused ones.
  return JSON.stringify({
    ...details,
    android_min_api_level: details.android_min_api_level ?? '0',
    release_notes: details.release_notes ?? '',
  });
}

interface CachedResponse {
  text: string;
  until: number;
}

/** Shorter than the lifetime of the links in a response. */
const CACHE_MS = 5 * MINUTE;
const MAX_CACHED = 50_000;

/** Caches responses to update checks until any of their data changes. */
export function createPublicUpdates() {
  let cache = new Map<string, CachedResponse>();
  let version = '';
  return async (ctx: AppSecretCtx, groupId?: string): Promise<string> => {
    const { grants, responses } = ctx.versions;
    const current = `${grants}.${responses}`;
    if (current !== version || cache.size >= MAX_CACHED) {
      cache = new Map();
      version = current;
    }
    const key = `${ctx.app.id} ${groupId ?? ''}`;
    const now = ctx.clock.now();
    const known = cache.get(key);
    if (known && known.until > now) return known.text;
    const appId = ctx.app.id;
    const found = groupId
      ? await findLatestInPublicGroup.first(ctx.db, { appId, groupId })
      : await findLatestPublic.first(ctx.db, { appId });
    if (!found) throw noReleases();
    const text = await buildUpdateResponse(ctx, toRelease(found), groupDestination(found));
    if (version === current) cache.set(key, { text, until: now + CACHE_MS });
    return text;
  };
}

export const listPublicGroupsForBuild = async ({ db, app }: InApp, hash: string): Promise<{ id: string }[]> =>
  listPublicGroupsWithHash.all(db, { appId: app.id, hash: hash.toLowerCase() });

const uuid = /^[0-9a-f-]{36}$/i;

/** Finds the release that an SDK reports as installed since its last request, if any. */
export function readInstall(
  { app, origin }: InApp,
  params: { distribution_group_id?: string; downloaded_release_id?: string; install_id?: string },
): InstallRow | undefined {
  const releaseId = Number(params.downloaded_release_id);
  if (!Number.isInteger(releaseId) || releaseId < 1 || releaseId > 999_999_999) return undefined;
  const groupId = uuid.test(params.distribution_group_id ?? '') ? (params.distribution_group_id ?? '') : '';
  const address = origin?.address ?? '';
  return { address, app_id: app.id, release_id: releaseId, group_id: groupId, installer: params.install_id ?? '' };
}
