import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import { getApp } from '../../apps/index.ts';
import { installLinks } from '../install/install-links.ts';
import { type Release, toRelease } from '../releases.ts';
import { findLatestPublic, findLatestPublicInNamed, findPublicBuild } from './in-app-updates.store.ts';

/** The build that asks. */
export interface InstalledBuild {
  bundleIdentifier: string | undefined;
  shortVersion: string;
  /** The build number. */
  version: string;
  /** Names of groups. Empty: all public groups. */
  groups: readonly string[];
}

export interface CheckedRelease {
  release: Release;
  appName: string;
  url: string;
  group: string;
}

const isNewer = ({ shortVersion, version }: Release, installed: InstalledBuild): boolean => {
  const order = compareVersions(shortVersion, installed.shortVersion);
  return order > 0 || (order === 0 && installed.version !== '' && compareVersions(version, installed.version) > 0);
};

/** Finds the installed build and a newer one among the releases of public groups. */
export async function checkForUpdate(
  ctx: AppCtx,
  installed: InstalledBuild,
): Promise<{ current: CheckedRelease | undefined; update: CheckedRelease | undefined }> {
  const appId = ctx.app.id;
  const { shortVersion, version, groups, bundleIdentifier } = installed;
  const found = await (groups.length > 0
    ? findLatestPublicInNamed(ctx.db, appId, groups)
    : findLatestPublic.all(ctx.db, { appId }));
  const own = await findPublicBuild.first(ctx.db, { appId, shortVersion, version });
  const { displayName } = await getApp({ ...ctx, permission: 'tester' });
  const describe = (row: NonNullable<typeof own>): CheckedRelease => {
    const release = toRelease(row);
    return { release, appName: displayName, url: installLinks(ctx, appId, release).installUrl, group: row.name };
  };
  const latest = found[0] && describe(found[0]);
  // A build of another product with the same app must not replace this one.
  const isOther =
    bundleIdentifier !== undefined &&
    latest?.release.bundleIdentifier !== undefined &&
    latest.release.bundleIdentifier !== bundleIdentifier;
  return {
    current: own && describe(own),
    update: latest && !isOther && isNewer(latest.release, installed) ? latest : undefined,
  };
}
