import type { Ctx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type AppRef, type AppSecretCtx, getApp } from '../../apps/index.ts';
import type { InstallRow } from '../install/install-rows.ts';
import { type Destination, type Release, toRelease } from '../releases.ts';
import { releaseToWire } from '../releases.wire.ts';
import { findLatestOfPublicGroup, findLatestPublic, listPublicGroupsWithHash } from './in-app-updates.store.ts';

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

/** What is told to a device: of all who have the release, only the destination by which it does. */
export async function updateAnswer(ctx: InApp, release: Release, by: Destination, udid?: string): Promise<string> {
  const app = await getApp({ ...ctx, permission: 'tester' });
  const view = { groupId: by.type === 'group' ? by.id : undefined, udid };
  const { download_count, ...details } = releaseToWire(ctx, app, { ...release, destinations: [by] }, view);
  // NOTE: SDKs for Android refuse an answer without these, also for what they do not need.
  return JSON.stringify({
    ...details,
    android_min_api_level: details.android_min_api_level ?? '0',
    release_notes: details.release_notes ?? '',
  });
}

interface Kept {
  text: string;
  until: number;
}

/** Links in an answer work for longer than it is kept. */
const KEPT_MS = 5 * MINUTE;
const MOST_KEPT = 50_000;

/** What devices ask again and again is answered from memory, until anything changes that the answer rests on. */
export function createPublicUpdates() {
  let kept = new Map<string, Kept>();
  let version = '';
  return async (ctx: AppSecretCtx, groupId?: string): Promise<string> => {
    const { grants, responses } = ctx.versions;
    const current = `${grants}.${responses}`;
    if (current !== version || kept.size >= MOST_KEPT) {
      kept = new Map();
      version = current;
    }
    const key = `${ctx.app.id} ${groupId ?? ''}`;
    const now = ctx.clock.now();
    const known = kept.get(key);
    if (known && known.until > now) return known.text;
    const appId = ctx.app.id;
    const found = groupId
      ? await findLatestOfPublicGroup.first(ctx.db, { appId, groupId })
      : await findLatestPublic.first(ctx.db, { appId });
    if (!found) throw noReleases();
    const text = await updateAnswer(ctx, toRelease(found), groupDestination(found));
    if (version === current) kept.set(key, { text, until: now + KEPT_MS });
    return text;
  };
}

export const listPublicGroupsOfBuild = async ({ db, app }: InApp, hash: string): Promise<{ id: string }[]> =>
  listPublicGroupsWithHash.all(db, { appId: app.id, hash: hash.toLowerCase() });

const uuid = /^[0-9a-f-]{36}$/i;

/** Reads the release that an SDK has installed since its last request, if it reports one. */
export function readInstall(
  { app, origin }: InApp,
  asked: { distribution_group_id?: string; downloaded_release_id?: string; install_id?: string },
): InstallRow | undefined {
  const releaseId = Number(asked.downloaded_release_id);
  if (!Number.isInteger(releaseId) || releaseId < 1 || releaseId > 999_999_999) return undefined;
  const groupId = uuid.test(asked.distribution_group_id ?? '') ? (asked.distribution_group_id ?? '') : '';
  const address = origin?.address ?? '';
  return { address, app_id: app.id, release_id: releaseId, group_id: groupId, installer: asked.install_id ?? '' };
}
