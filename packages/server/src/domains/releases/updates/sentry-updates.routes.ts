import { releases_checkForSentryUpdate } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { type CheckedRelease, checkForUpdate } from './sentry-updates.ts';

const toNumber = (version: string): number => (/^\d{1,15}$/.test(version) ? Number(version) : 0);

const releaseToWire = ({ release, appName, url, group }: CheckedRelease) => ({
  id: String(release.id),
  build_version: release.shortVersion,
  build_number: toNumber(release.version),
  ...(release.notes ? { release_notes: release.notes } : {}),
  download_url: url,
  app_name: appName,
  created_date: toIso(release.uploadedAt),
  install_groups: [group],
});

export const sentryUpdateRoutes = [
  route(releases_checkForSentryUpdate, async (ctx, { query }) => {
    const { current, update } = await checkForUpdate(ctx, {
      bundleIdentifier: query.app_id || undefined,
      shortVersion: query.build_version,
      version: query.build_number ?? '',
      groups: [query.install_groups ?? []].flat().filter((name) => name !== ''),
    });
    return {
      ...(current ? { current: releaseToWire(current) } : {}),
      ...(update ? { update: releaseToWire(update) } : {}),
    };
  }),
];
