import { atLeast, type PackageKind } from '@mooring/contract';
import type { AppCtx, Ctx, Deps, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { jsonCodec, objectOutline, StringList } from '../../kernel/text/json-codec.ts';
import { blockDownloads, deleteTakenFile } from '../../uploads/index.ts';
import { type App, type AppRef, checkImportedTime } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { discardAvatar } from '../avatars/index.ts';
import { unlinkTestedRelease } from '../packages/index.ts';
import { deleteJob } from '../runners/index.ts';
import { listReleaseResignings } from './devices/resigning.store.ts';
import type { PackageMetadata } from './packages/package-metadata.ts';
import {
  appDestinations,
  deleteOrphanCounters,
  deleteReleaseRow,
  findLatestPublished,
  findLatestReleaseForTester,
  findReleaseForTester,
  findReleaseRow,
  listGroupReleaseRows,
  listLatestForGroup,
  listLatestForUser,
  listNewestGroupReleases,
  listOrphans,
  listReleaseRows,
  listReleasesForUser,
  listUserGroupIds,
  lockReleaseRow,
  releaseDestinations,
  saveRelease,
} from './releases.store.ts';
import { listReleaseAttempts } from './stores/stores.store.ts';

const hashesCodec = jsonCodec('releases.hashes', StringList);
const metadataCodec = jsonCodec('releases.facts', objectOutline<StoredMetadata>());
const buildCodec = jsonCodec('releases.build', objectOutline<Build>());
const signaturesCodec = jsonCodec('releases.signatures', objectOutline<Signatures>());

export interface Build {
  branch_name?: string;
  commit_hash?: string;
  commit_message?: string;
}

export interface Signatures {
  dsa_signature?: string;
  ed_signature?: string;
}

/** Metadata of a package that is stored as JSON. */
type StoredMetadata = Pick<
  PackageMetadata,
  'label' | 'architectures' | 'permissions' | 'certificate' | 'profile' | 'publisher'
>;

export interface Release {
  id: number;
  version: string;
  shortVersion: string;
  kind: PackageKind;
  fileName: string;
  size: number;
  sha256: string;
  key: string;
  iconPath: string | undefined;
  bundleIdentifier: string | undefined;
  minOs: string | undefined;
  minApiLevel: string | undefined;
  deviceFamily: string | undefined;
  hashes: string[];
  metadata: StoredMetadata;
  notes: string | undefined;
  isEnabled: boolean;
  build: Build | undefined;
  signatures: Signatures | undefined;
  uploadedAt: number;
  downloads: number;
}

type ReleaseRow = NonNullable<Awaited<ReturnType<typeof findReleaseRow.first>>>;

export const toRelease = (row: ReleaseRow): Release => ({
  id: row.id,
  version: row.version,
  shortVersion: row.short_version,
  kind: row.kind as PackageKind,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  key: row.blob_key,
  iconPath: row.icon_path ?? undefined,
  bundleIdentifier: row.bundle_identifier ?? undefined,
  minOs: row.min_os ?? undefined,
  minApiLevel: row.min_api_level ?? undefined,
  deviceFamily: row.device_family ?? undefined,
  hashes: hashesCodec.parse(row.hashes),
  metadata: metadataCodec.parse(row.facts),
  notes: row.notes ?? undefined,
  isEnabled: row.is_enabled === 1,
  build: row.build === null ? undefined : buildCodec.parse(row.build),
  signatures: row.signatures === null ? undefined : signaturesCodec.parse(row.signatures),
  uploadedAt: row.uploaded_at,
  downloads: Number(row.downloads),
});

type Profile = NonNullable<Release['metadata']['profile']>;

/** Checks whether an iOS app can be installed on a device. */
export const isProvisioned = ({ type, udids }: Profile, udid: string): boolean =>
  type === 'enterprise' || udids.some((one) => one.toLowerCase() === udid.toLowerCase());

/** A destination of a release. */
export interface Destination {
  type: 'group' | 'tester' | 'store';
  id: string;
  name: string;
  displayName: string;
  isPublic: boolean;
  isMandatory: boolean;
  /** True if the destination has no later enabled release. */
  isLatest: boolean;
  /** For a store: type and status of the publishing. */
  store?: { type: 'googleplay' | 'intune' | 'apple'; status: string } | undefined;
}

export interface DistributedRelease extends Release {
  destinations: Destination[];
}

export const releaseSubject = (app: AppRef, id: number) =>
  ({
    kind: 'release',
    id: String(id),
    name: `${app.ownerName}/${app.name} #${id}`,
    appId: app.id,
    orgId: app.ownerId,
  }) as const;

export const noSuchRelease = (id: number | string): Failure =>
  new Failure('NotFound', `No release "${id}" found, or you don't have access to it.`, {}, 'not_found');
const noReleases = (): Failure =>
  new Failure('NotFound', 'There is no release that you can install.', {}, 'no_releases_for_user');

type InApp = Pick<Ctx, 'db'> & { app: AppRef };

/** Lists the destinations of one release, or of all releases of an app, by release ID. */
async function listDestinations({ db, app }: InApp, releaseId?: number): Promise<Map<number, Destination[]>> {
  const statements = releaseId === undefined ? appDestinations : releaseDestinations;
  const which = { appId: app.id, releaseId: releaseId ?? 0 };
  const latest = new Map((await statements.latest.all(db, which)).map(({ id, latest }) => [id, Number(latest)]));
  const destinations = new Map<number, Destination[]>();
  const add = (releaseId: number, destination: Destination) => {
    const others = destinations.get(releaseId);
    if (others) others.push(destination);
    else destinations.set(releaseId, [destination]);
  };
  for (const row of await statements.groups.all(db, which)) {
    add(row.release_id, {
      type: 'group',
      id: row.id,
      name: row.name,
      displayName: row.display_name ?? row.name,
      isPublic: row.is_public === 1,
      isMandatory: row.is_mandatory === 1,
      isLatest: latest.get(row.id) === row.release_id,
    });
  }
  for (const row of await statements.testers.all(db, which)) {
    add(row.release_id, {
      type: 'tester',
      id: row.id,
      name: row.email,
      displayName: row.display_name,
      isPublic: false,
      isMandatory: row.is_mandatory === 1,
      isLatest: false,
    });
  }
  for (const row of await statements.stores.all(db, which)) {
    add(row.release_id, {
      type: 'store',
      id: row.id,
      name: row.name,
      displayName: row.name,
      isPublic: false,
      isMandatory: false,
      isLatest: latest.get(row.id) === row.release_id,
      store: { type: row.type, status: row.status },
    });
  }
  return destinations;
}

async function withDestinations(ctx: InApp, rows: readonly ReleaseRow[]): Promise<DistributedRelease[]> {
  const [first, second] = rows;
  if (!first) return [];
  const destinations = await listDestinations(ctx, second ? undefined : first.id);
  return rows.map((row) => ({ ...toRelease(row), destinations: destinations.get(row.id) ?? [] }));
}

const getUserId = ({ actor }: AppCtx): string => (actor.kind === 'user' ? actor.user.id : '');

/** Users with more than tester access see every release; others see those distributed to them. */
export const seesAll = ({ permission }: Pick<AppCtx, 'permission'>): boolean => atLeast(permission, 'viewer');

const rowsFor = (ctx: AppCtx, isOnlyTheirs: boolean): Promise<ReleaseRow[]> =>
  seesAll(ctx) && !isOnlyTheirs
    ? listReleaseRows.all(ctx.db, { appId: ctx.app.id })
    : listReleasesForUser.all(ctx.db, { appId: ctx.app.id, userId: getUserId(ctx) });

export interface ReleaseFilter {
  isPublished?: boolean | undefined;
  /** Only releases distributed to the caller. */
  isOnlyTheirs?: boolean | undefined;
}

/** Lists all releases, newest first, without checking access. */
export const listAllReleases = async (ctx: InApp): Promise<DistributedRelease[]> =>
  withDestinations(ctx, await listReleaseRows.all(ctx.db, { appId: ctx.app.id }));

/** Lists releases, newest first. Testers see neither other testers nor disabled releases. */
export async function listReleases(ctx: AppCtx, { isPublished, isOnlyTheirs = false }: ReleaseFilter = {}) {
  const releases = await withDestinations(ctx, await rowsFor(ctx, isOnlyTheirs));
  const isEnabled = (release: DistributedRelease) => release.isEnabled;
  const seen = seesAll(ctx) ? releases : await forTester(ctx, getUserId(ctx), releases.filter(isEnabled));
  return isPublished ? seen.filter(({ destinations }) => destinations.length > 0) : seen;
}

/** Hides other testers, and groups that the caller is not in, because a release may be mandatory for those only. */
async function forTester(
  ctx: InApp,
  userId: string,
  releases: readonly DistributedRelease[],
): Promise<DistributedRelease[]> {
  const groups = await listUserGroupIds.all(ctx.db, { appId: ctx.app.id, userId });
  const own = new Set([userId, ...groups.map(({ id }) => id)]);
  return releases.map((release) => ({
    ...release,
    destinations: release.destinations.filter(({ id }) => own.has(id)),
  }));
}

/** Lists the latest release of every group. */
export async function listRecentReleases(ctx: AppCtx): Promise<DistributedRelease[]> {
  const releases = await listReleases(ctx);
  return releases.filter(({ destinations }) => destinations.some(({ isLatest }) => isLatest));
}

export async function findRelease(ctx: InApp, id: number): Promise<DistributedRelease | undefined> {
  const row = await findReleaseRow.first(ctx.db, { appId: ctx.app.id, id });
  return row && (await withDestinations(ctx, [row]))[0];
}

/** Finds a release that the caller may see; testers see no other destinations. */
export async function findVisibleRelease(ctx: AppCtx, id: number): Promise<DistributedRelease | undefined> {
  const release = await findRelease(ctx, id);
  if (!release || seesAll(ctx)) return release;
  const userId = getUserId(ctx);
  const isTheirs = release.isEnabled && (await findReleaseForTester.first(ctx.db, { appId: ctx.app.id, userId, id }));
  return isTheirs ? (await forTester(ctx, userId, [release]))[0] : undefined;
}

export async function getRelease(ctx: AppCtx, id: number): Promise<DistributedRelease> {
  const release = await findVisibleRelease(ctx, id);
  if (!release) throw noSuchRelease(id);
  return release;
}

/** Finds the newest enabled release that was distributed to the caller; callers who see all also get others. */
export async function getLatestRelease(ctx: AppCtx): Promise<DistributedRelease> {
  const appId = ctx.app.id;
  const own = await findLatestReleaseForTester.first(ctx.db, { appId, userId: getUserId(ctx) });
  const row = own ?? (seesAll(ctx) ? await findLatestPublished.first(ctx.db, { appId }) : undefined);
  if (!row) throw noReleases();
  return getRelease(ctx, row.id);
}

export async function listGroupReleases(ctx: InApp, groupId: string): Promise<DistributedRelease[]> {
  return withDestinations(ctx, await listGroupReleaseRows.all(ctx.db, { appId: ctx.app.id, groupId }));
}

/** Finds the newest enabled release of a group. */
export async function findNewestGroupRelease({ db, app }: InApp, groupId: string): Promise<Release | undefined> {
  const row = await listNewestGroupReleases.first(db, { appId: app.id, groupId, limit: 1 });
  return row && toRelease(row);
}

/** Finds a release of a group; only users with access to the app see disabled ones. */
export async function getGroupRelease(
  ctx: InApp,
  groupId: string,
  which: number | 'latest',
): Promise<DistributedRelease> {
  const id = which === 'latest' ? (await findNewestGroupRelease(ctx, groupId))?.id : which;
  if (id === undefined) throw noReleases();
  const release = await findRelease(ctx, id);
  const isInGroup = release?.destinations.some((one) => one.type === 'group' && one.id === groupId);
  if (!release?.isEnabled || !isInGroup) throw noSuchRelease(id);
  return release;
}

/** Opens a transaction that locks the release. */
export const changeRelease = <T>(
  ctx: AppCtx,
  id: number,
  work: (ctx: AppCtx, release: DistributedRelease) => Promise<T>,
): Promise<T> =>
  tx(ctx, async (ctx) => {
    await lockReleaseRow.first(ctx.db, { appId: ctx.app.id, id });
    return work(ctx, await getRelease(ctx, id));
  });

export interface ReleaseChange {
  notes?: string | undefined;
  isEnabled?: boolean | undefined;
  build?: Build | undefined;
  signatures?: Signatures | undefined;
  /** Set for a release imported from another server. */
  uploadedAt?: number | undefined;
}

const toJson = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

export const updateRelease = (ctx: AppCtx, id: number, change: ReleaseChange): Promise<DistributedRelease> =>
  changeRelease(ctx, id, async (ctx, before) => {
    if (change.uploadedAt !== undefined) checkImportedTime(ctx, 'uploaded_at', change.uploadedAt);
    const after = {
      uploadedAt: change.uploadedAt ?? before.uploadedAt,
      notes: change.notes ?? before.notes,
      isEnabled: change.isEnabled ?? before.isEnabled,
      build: change.build ? { ...before.build, ...change.build } : before.build,
      signatures: change.signatures ? { ...before.signatures, ...change.signatures } : before.signatures,
    };
    const timeChange = ({ uploadedAt }: { uploadedAt: number }) =>
      change.uploadedAt === undefined ? {} : { uploaded_at: toIso(uploadedAt) };
    await saveRelease.run(ctx.db, {
      appId: ctx.app.id,
      id,
      notes: after.notes ?? null,
      isEnabled: after.isEnabled ? 1 : 0,
      build: toJson(after.build),
      signatures: toJson(after.signatures),
      uploadedAt: after.uploadedAt,
    });
    if (after.isEnabled !== before.isEnabled) await blockDownloads(ctx, before.key, !after.isEnabled);
    await record(ctx, 'release.update', releaseSubject(ctx.app, id), {
      before: { enabled: before.isEnabled, release_notes: before.notes?.slice(0, 200), ...timeChange(before) },
      after: { enabled: after.isEnabled, release_notes: after.notes?.slice(0, 200), ...timeChange(after) },
    });
    return { ...before, ...after };
  });

export const releaseDiscard = defineJob<{ key: string }>('release.discard');

export const discardPackage = (ctx: Deps, key: string): Promise<void> => deleteTakenFile(ctx, key);

/** Runners that work on it learn that it is canceled. */
async function dropJobs(ctx: Ctx, which: { appId: string; releaseId: number }): Promise<void> {
  for (const { attempt } of await listReleaseAttempts.all(ctx.db, which)) await deleteJob(ctx, attempt);
  for (const { id } of await listReleaseResignings.all(ctx.db, which)) await deleteJob(ctx, id);
}

/** Deletes a release, in the caller's transaction. A job deletes its file afterwards, with retries. */
export async function removeRelease(ctx: Ctx & { app: AppRef }, release: DistributedRelease): Promise<void> {
  await dropJobs(ctx, { appId: ctx.app.id, releaseId: release.id });
  await deleteReleaseRow.run(ctx.db, { appId: ctx.app.id, id: release.id });
  await unlinkTestedRelease(ctx, ctx.app.id, release.id);
  await enqueue(ctx, releaseDiscard, { key: release.key });
  await discardAvatar(ctx, release.iconPath);
  await record(ctx, 'release.delete', releaseSubject(ctx.app, release.id), {
    before: { version: release.version, short_version: release.shortVersion },
  });
}

/** NOTE: existing clients know this code; after a 503 they would retry and find no release. */
const partiallyDeleted = (id: number): Failure =>
  new Failure(
    'Conflict',
    `Release ${id} was withdrawn from all destinations, but its file could not be deleted yet. The server keeps trying.`,
    {},
    'partially_deleted',
  );

export async function deleteRelease(ctx: AppCtx, id: number): Promise<void> {
  const key = await changeRelease(ctx, id, async (ctx, release) => {
    await removeRelease(ctx, release);
    return release.key;
  });
  await discardPackage(ctx, key).catch((err: unknown) => {
    ctx.log.warn({ err, key }, 'failed to delete the file of a deleted release');
    throw partiallyDeleted(id);
  });
}

/** Deletes all of the releases that exist, or none if one fails. */
export const deleteReleases = (
  ctx: AppCtx,
  ids: readonly number[],
): Promise<{ deleted: number[]; missing: number[] }> =>
  tx(ctx, async (ctx) => {
    const [deleted, missing]: [number[], number[]] = [[], []];
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
      await lockReleaseRow.first(ctx.db, { appId: ctx.app.id, id });
      const release = await findRelease(ctx, id);
      if (release) await removeRelease(ctx, release);
      (release ? deleted : missing).push(id);
    }
    if (deleted.length === 0) throw noSuchRelease(ids.join(', '));
    return { deleted, missing };
  });

const BATCH = 100;

/** Deletes releases of deleted apps, and their files. */
export async function sweepReleases(ctx: Ctx): Promise<void> {
  for (;;) {
    const rows = await listOrphans.all(ctx.db, { limit: BATCH });
    for (const { app_id, id, blob_key, icon_path } of rows) {
      await tx(ctx, async (ctx) => {
        await deleteReleaseRow.run(ctx.db, { appId: app_id, id });
        await enqueue(ctx, releaseDiscard, { key: blob_key });
        await discardAvatar(ctx, icon_path);
      });
    }
    if (rows.length < BATCH) break;
  }
  await tx(ctx, ({ db }) => deleteOrphanCounters.run(db));
}

/** An app with its latest release, as a tester sees it. */
export interface TesterApp {
  app: Pick<App, 'id' | 'name' | 'displayName' | 'description' | 'iconUrl'> & {
    os: string;
    owner: Pick<App['owner'], 'id' | 'kind' | 'name' | 'displayName' | 'avatarUrl'>;
  };
  release: Release;
  /** For one of the user's groups, or for the user. */
  isMandatory: boolean;
}

type LatestRow = Awaited<ReturnType<typeof listLatestForUser.all>>[number];

const toTesterApps = (rows: readonly LatestRow[]): TesterApp[] => {
  const found = rows.map(
    (row): TesterApp => ({
      app: {
        id: row.app_id,
        name: row.app_name,
        displayName: row.app_display_name,
        description: row.app_description ?? undefined,
        iconUrl: row.app_icon_url ?? undefined,
        os: row.app_os,
        owner: {
          id: row.owner_id,
          kind: row.owner_kind,
          name: row.owner_name,
          displayName: row.owner_display_name,
          avatarUrl: row.owner_avatar_url ?? undefined,
        },
      },
      release: toRelease(row),
      isMandatory: Number(row.is_mandatory) === 1,
    }),
  );
  return found.sort((a, b) => a.app.name.localeCompare(b.app.name, 'en'));
};

/** Lists every app with a release for the caller, and the latest release of each. */
export const listTesterApps = async ({ db, actor }: UserCtx): Promise<TesterApp[]> =>
  toTesterApps(await listLatestForUser.all(db, { userId: actor.user.id }));

/** The same for the apps of a shared group. */
export const listSharedGroupApps = async ({ db }: Pick<Ctx, 'db'>, groupId: string): Promise<TesterApp[]> =>
  toTesterApps(await listLatestForGroup.all(db, { groupId }));
