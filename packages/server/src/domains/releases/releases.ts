import { atLeast, type PackageKind } from '@mooring/contract';
import type { AppCtx, Ctx, Deps, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { blockDownloads, deleteTakenFile } from '../../uploads/index.ts';
import { type App, type AppRef, checkImportedTime } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { discardAvatar } from '../avatars/index.ts';
import { deleteJob, forgetTestedRelease } from '../runners/index.ts';
import { listResigningsOf } from './devices/resigning.store.ts';
import type { PackageMetadata } from './packages/package-metadata.ts';
import {
  deleteOrphanCounters,
  deleteReleaseRow,
  findReleaseRow,
  listGroupIdsOf,
  listLatestGivenTo,
  listLatestOfGroups,
  listOrphans,
  listReleaseGroups,
  listReleaseRows,
  listReleasesGivenTo,
  listReleasesOfGroup,
  listReleaseTesters,
  lockReleaseRow,
  saveRelease,
} from './releases.store.ts';
import { listAttemptsOfRelease, listReleaseStores } from './stores/stores.store.ts';

export interface Build {
  branch_name?: string;
  commit_hash?: string;
  commit_message?: string;
}

export interface Signatures {
  dsa_signature?: string;
  ed_signature?: string;
}

/** What of a package is kept beside its release. */
type KeptMetadata = Pick<
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
  metadata: KeptMetadata;
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
  hashes: JSON.parse(row.hashes),
  metadata: JSON.parse(row.facts),
  notes: row.notes ?? undefined,
  isEnabled: row.is_enabled === 1,
  build: row.build === null ? undefined : JSON.parse(row.build),
  signatures: row.signatures === null ? undefined : JSON.parse(row.signatures),
  uploadedAt: row.uploaded_at,
  downloads: Number(row.downloads),
});

type Profile = NonNullable<Release['metadata']['profile']>;

/** Whether an iOS app may be installed on a device. */
export const isProvisioned = ({ type, udids }: Profile, udid: string): boolean =>
  type === 'enterprise' || udids.some((one) => one.toLowerCase() === udid.toLowerCase());

/** To whom a release was given. */
export interface Destination {
  type: 'group' | 'tester' | 'store';
  id: string;
  name: string;
  displayName: string;
  isPublic: boolean;
  isMandatory: boolean;
  /** No later release that is enabled was given to it. */
  isLatest: boolean;
  /** Of a store: how far the publishing is. */
  store?: { type: 'googleplay' | 'intune' | 'apple'; status: string } | undefined;
}

export interface GivenRelease extends Release {
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
  new Failure('NotFound', `No release "${id}" that you can see.`, {}, 'not_found');
const noReleases = (): Failure =>
  new Failure('NotFound', 'There is no release that you can install.', {}, 'no_releases_for_user');

type InApp = Pick<Ctx, 'db'> & { app: AppRef };

/** Who has which release of an app, by its number. */
async function destinationsOf({ db, app }: InApp): Promise<Map<number, Destination[]>> {
  const appId = app.id;
  const latest = new Map((await listLatestOfGroups.all(db, { appId })).map(({ id, latest }) => [id, Number(latest)]));
  const found = new Map<number, Destination[]>();
  const add = (releaseId: number, destination: Destination) =>
    found.set(releaseId, [...(found.get(releaseId) ?? []), destination]);
  for (const row of await listReleaseGroups.all(db, { appId })) {
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
  for (const row of await listReleaseTesters.all(db, { appId })) {
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
  const inStores = new Set<string>();
  for (const row of await listReleaseStores.all(db, { appId })) {
    add(row.release_id, {
      type: 'store',
      id: row.id,
      name: row.name,
      displayName: row.name,
      isPublic: false,
      isMandatory: false,
      isLatest: !inStores.has(row.id),
      store: { type: row.type, status: row.status },
    });
    inStores.add(row.id);
  }
  return found;
}

async function withDestinations(ctx: InApp, rows: readonly ReleaseRow[]): Promise<GivenRelease[]> {
  const destinations = rows.length > 0 ? await destinationsOf(ctx) : new Map<number, Destination[]>();
  return rows.map((row) => ({ ...toRelease(row), destinations: destinations.get(row.id) ?? [] }));
}

const userIdOf = ({ actor }: AppCtx): string => (actor.kind === 'user' ? actor.user.id : '');

/** Whoever has more than a tester's access sees every release; others what was given to them. */
export const seesAll = ({ permission }: Pick<AppCtx, 'permission'>): boolean => atLeast(permission, 'viewer');

const rowsFor = (ctx: AppCtx, isOnlyTheirs: boolean): Promise<ReleaseRow[]> =>
  seesAll(ctx) && !isOnlyTheirs
    ? listReleaseRows.all(ctx.db, { appId: ctx.app.id })
    : listReleasesGivenTo.all(ctx.db, { appId: ctx.app.id, userId: userIdOf(ctx) });

export interface ReleaseFilter {
  isPublished?: boolean | undefined;
  /** What was given to the caller. */
  isOnlyTheirs?: boolean | undefined;
}

/** The newest first, for whoever looks after them. */
export const listAllReleases = async (ctx: InApp): Promise<GivenRelease[]> =>
  withDestinations(ctx, await listReleaseRows.all(ctx.db, { appId: ctx.app.id }));

/** The newest first. Those who only test see of a release neither others nor what is disabled. */
export async function listReleases(ctx: AppCtx, { isPublished, isOnlyTheirs = false }: ReleaseFilter = {}) {
  const releases = await withDestinations(ctx, await rowsFor(ctx, isOnlyTheirs));
  const isEnabled = (release: GivenRelease) => release.isEnabled;
  const seen = seesAll(ctx) ? releases : await forTester(ctx, userIdOf(ctx), releases.filter(isEnabled));
  return isPublished ? seen.filter(({ destinations }) => destinations.length > 0) : seen;
}

/** Testers are told neither of each other nor of groups that they are not in, for whom it may be mandatory. */
async function forTester(ctx: InApp, userId: string, releases: readonly GivenRelease[]): Promise<GivenRelease[]> {
  const groups = await listGroupIdsOf.all(ctx.db, { appId: ctx.app.id, userId });
  const own = new Set([userId, ...groups.map(({ id }) => id)]);
  return releases.map((release) => ({
    ...release,
    destinations: release.destinations.filter(({ id }) => own.has(id)),
  }));
}

/** The latest release of every group. */
export async function listRecentReleases(ctx: AppCtx): Promise<GivenRelease[]> {
  const releases = await listReleases(ctx);
  return releases.filter(({ destinations }) => destinations.some(({ isLatest }) => isLatest));
}

export async function findRelease(ctx: InApp, id: number): Promise<GivenRelease | undefined> {
  const row = await findReleaseRow.first(ctx.db, { appId: ctx.app.id, id });
  return row && (await withDestinations(ctx, [row]))[0];
}

async function findOne(ctx: AppCtx, id: number): Promise<GivenRelease | undefined> {
  const release = await findRelease(ctx, id);
  if (!release || seesAll(ctx)) return release;
  const userId = userIdOf(ctx);
  const theirs = await listReleasesGivenTo.all(ctx.db, { appId: ctx.app.id, userId });
  const isTheirs = release.isEnabled && theirs.some((one) => one.id === id);
  return isTheirs ? (await forTester(ctx, userId, [release]))[0] : undefined;
}

export async function getRelease(ctx: AppCtx, id: number): Promise<GivenRelease> {
  const release = await findOne(ctx, id);
  if (!release) throw noSuchRelease(id);
  return release;
}

/** The newest that is enabled and was given to the caller; for whoever sees all, also what was given to others. */
export async function getLatestRelease(ctx: AppCtx): Promise<GivenRelease> {
  for (const isOnlyTheirs of [true, false]) {
    const releases = await listReleases(ctx, { isOnlyTheirs, isPublished: true });
    const latest = releases.find(({ isEnabled }) => isEnabled);
    if (latest) return latest;
  }
  throw noReleases();
}

export async function listGroupReleases(ctx: InApp, groupId: string): Promise<GivenRelease[]> {
  return withDestinations(ctx, await listReleasesOfGroup.all(ctx.db, { appId: ctx.app.id, groupId }));
}

/** One that a group has; of those that are disabled only people who work on the app know. */
export async function getGroupRelease(ctx: InApp, groupId: string, which: number | 'latest'): Promise<GivenRelease> {
  const releases = (await listGroupReleases(ctx, groupId)).filter(({ isEnabled }) => isEnabled);
  const found = which === 'latest' ? releases[0] : releases.find(({ id }) => id === which);
  if (!found) throw which === 'latest' ? noReleases() : noSuchRelease(which);
  return found;
}

/** Opens a transaction in which nobody else changes or deletes the release. */
export const changeRelease = <T>(
  ctx: AppCtx,
  id: number,
  work: (ctx: AppCtx, release: GivenRelease) => Promise<T>,
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
  /** Of a release that another server had. */
  uploadedAt?: number | undefined;
}

const toJson = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

export const updateRelease = (ctx: AppCtx, id: number, change: ReleaseChange): Promise<GivenRelease> =>
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

/** Runners that still work on it hear that it is no longer wanted. */
async function dropJobs(ctx: Ctx, which: { appId: string; releaseId: number }): Promise<void> {
  for (const { attempt } of await listAttemptsOfRelease.all(ctx.db, which)) await deleteJob(ctx, attempt);
  for (const { id } of await listResigningsOf.all(ctx.db, which)) await deleteJob(ctx, id);
}

/** In a transaction; the file goes after it, and is tried again until it is gone. */
export async function removeRelease(ctx: Ctx & { app: AppRef }, release: GivenRelease): Promise<void> {
  await dropJobs(ctx, { appId: ctx.app.id, releaseId: release.id });
  await deleteReleaseRow.run(ctx.db, { appId: ctx.app.id, id: release.id });
  await forgetTestedRelease(ctx, ctx.app.id, release.id);
  await enqueue(ctx, releaseDiscard, { key: release.key });
  await discardAvatar(ctx, release.iconPath);
  await record(ctx, 'release.delete', releaseSubject(ctx.app, release.id), {
    before: { version: release.version, short_version: release.shortVersion },
  });
}

/** NOTE: clients of the original know this code; they would ask again after a 503, and find no release. */
const partiallyDeleted = (id: number): Failure =>
  new Failure(
    'Conflict',
    `Release ${id} was taken from everybody who had it, but its file could not be deleted just now; that is tried again until it is gone.`,
    {},
    'partially_deleted',
  );

export async function deleteRelease(ctx: AppCtx, id: number): Promise<void> {
  const key = await changeRelease(ctx, id, async (ctx, release) => {
    await removeRelease(ctx, release);
    return release.key;
  });
  await discardPackage(ctx, key).catch((err: unknown) => {
    ctx.log.warn({ err, key }, 'the file of a deleted release could not be deleted');
    throw partiallyDeleted(id);
  });
}

/** All that are there, or none if anything goes wrong. */
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

/** Releases of apps that are gone, and their files. */
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

/** What a tester is told of an app. */
export interface TesterApp {
  app: Pick<App, 'id' | 'name' | 'displayName' | 'description' | 'iconUrl'> & {
    os: string;
    owner: Pick<App['owner'], 'id' | 'kind' | 'name' | 'displayName' | 'avatarUrl'>;
  };
  release: Release;
  /** For one of the groups that they are in, or for them. */
  isMandatory: boolean;
}

/** Every app of which the caller has a release, with the latest. */
export async function listTesterApps(ctx: UserCtx): Promise<TesterApp[]> {
  const rows = await listLatestGivenTo.all(ctx.db, { userId: ctx.actor.user.id });
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
}
