import { Analytics_CrashFreeDevicePercentages, type ReleaseStoryFields, STORY_DAYS } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { isPartAllowed } from '../../../extensions/part-needs.ts';
import { type StoryPart, type StorySubject, storyParts } from '../../../extensions/story-parts.ts';
import { toIso } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { describeVersionHealth } from '../../crashes/index.ts';
import { findBuildByRelease, findTestedPackage, listReleasesByBuild } from '../../packages/index.ts';
import { type DistributedRelease, findRelease, noSuchRelease } from '../releases.ts';
import { findReleaseByVersion } from './release-story.store.ts';

/** Names a release in one of four ways. */
export interface StoryQuery {
  release_id?: number | undefined;
  build_id?: number | undefined;
  test_run_id?: string | undefined;
  version?: string | undefined;
  build_number?: string | undefined;
}

interface Located {
  release: DistributedRelease | undefined;
  otherReleases: number[];
  subject: StorySubject;
  /** Version and build number, if known. */
  version: { shortVersion: string; version: string } | undefined;
}

function checkQuery(query: StoryQuery): void {
  const { release_id, build_id, test_run_id, version, build_number } = query;
  const named = [release_id, build_id, test_run_id, version].filter((one) => one !== undefined);
  if (named.length !== 1)
    throw badRequest('Name one release: send either release_id, build_id, test_run_id, or version with build_number.');
  if ((version === undefined) !== (build_number === undefined))
    throw badRequest('version and build_number belong together. Send both.');
}

/** Finds the release that the query names, and its build. */
async function locate(ctx: AppCtx, query: StoryQuery): Promise<Located> {
  const appId = ctx.app.id;
  const { test_run_id: testRunId, version: shortVersion, build_number: number } = query;
  const tested = testRunId === undefined ? undefined : await findTestedPackage(ctx, appId, testRunId);
  let buildId = query.build_id ?? tested?.buildId;
  const releases = buildId === undefined ? [] : await listReleasesByBuild(ctx, appId, buildId);
  let releaseId = query.release_id ?? tested?.releaseId ?? releases[0];
  if (shortVersion !== undefined && number !== undefined)
    releaseId = (await findReleaseByVersion.first(ctx.db, { appId, shortVersion, version: number }))?.id;
  const release = releaseId === undefined ? undefined : await findRelease(ctx, releaseId);
  if (query.release_id !== undefined && !release) throw noSuchRelease(query.release_id);
  if (release) buildId ??= await findBuildByRelease(ctx, appId, release.id);
  const { branch_name: branch, commit_hash: sha, commit_message: message } = release?.build ?? {};
  const version =
    release ?? (shortVersion !== undefined && number !== undefined ? { shortVersion, version: number } : undefined);
  return {
    release,
    otherReleases: releases.filter((id) => id !== release?.id),
    version,
    subject: {
      releaseId: release?.id,
      buildId,
      testRunId,
      version: version?.shortVersion,
      commit: sha === undefined ? undefined : { sha, branch, message },
    },
  };
}

const MAX_LISTED = 20;

function describeDestinations({ destinations }: DistributedRelease) {
  const groups = destinations.filter(({ type }) => type === 'group');
  return {
    groups: groups.slice(0, MAX_LISTED).map(({ name, displayName, isLatest, isMandatory }) => ({
      name,
      display_name: displayName,
      is_latest: isLatest,
      mandatory_update: isMandatory,
    })),
    group_count: groups.length,
    tester_count: destinations.filter(({ type }) => type === 'tester').length,
    stores: destinations
      .filter(({ type }) => type === 'store')
      .slice(0, MAX_LISTED)
      .map(({ name }) => name),
  };
}

async function describeHealth(ctx: AppCtx, { shortVersion, version }: { shortVersion: string; version: string }) {
  const { current, allDevices, verdict } = await describeVersionHealth(ctx, {
    version: shortVersion,
    build: version,
    days: STORY_DAYS,
  });
  const { previous, ...judged } = verdict;
  const previousRelease =
    previous &&
    (await findReleaseByVersion.first(ctx.db, {
      appId: ctx.app.id,
      shortVersion: previous.version,
      version: previous.app_build,
    }));
  const devices = current?.devices ?? 0;
  // A crash alone does not make a device active.
  const all = Math.max(allDevices, devices);
  return {
    adoption: { devices, all_devices: all, percent: all === 0 ? 0 : (100 * devices) / all },
    stability: current && {
      crashed_devices: current.crashed_devices,
      crash_free_devices: current.crash_free_devices,
    },
    verdict: {
      ...judged,
      previous: previous && {
        short_version: previous.version,
        version: previous.app_build,
        release_id: previousRelease?.id,
        devices: previous.devices,
        crash_free_devices: previous.crash_free_devices,
      },
    },
  };
}

async function findBuildInParts(ctx: AppCtx, parts: readonly StoryPart[], subject: StorySubject) {
  const found = await Promise.all(parts.map((part) => part.findBuild?.(ctx, subject)));
  return found.find((id) => id !== undefined);
}

/** Follows a release from its commit to its devices. */
export async function describeReleaseStory(ctx: AppCtx, query: StoryQuery) {
  checkQuery(query);
  const { release, otherReleases, version, subject: located } = await locate(ctx, query);
  const open = storyParts.list(ctx).filter(({ needs }) => isPartAllowed(ctx, needs));
  const subject = { ...located, buildId: located.buildId ?? (await findBuildInParts(ctx, open, located)) };
  const [health, ...parts] = await Promise.all([
    version && isPartAllowed(ctx, Analytics_CrashFreeDevicePercentages) ? describeHealth(ctx, version) : undefined,
    ...open.map((part) => part.read(ctx, subject)),
  ]);
  const fields = Object.assign({}, ...parts) as ReleaseStoryFields;
  return {
    ...fields,
    ...health,
    release: release && {
      id: release.id,
      short_version: release.shortVersion,
      version: release.version,
      enabled: release.isEnabled,
      uploaded_at: toIso(release.uploadedAt),
    },
    other_releases: otherReleases,
    version: version && { short_version: version.shortVersion, version: version.version },
    destinations: release && describeDestinations(release),
    days: STORY_DAYS,
  };
}
