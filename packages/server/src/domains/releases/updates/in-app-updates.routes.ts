import { hash } from 'node:crypto';
import {
  releases_getIosManifest,
  releases_getLatestByHash,
  releases_getLatestPublicRelease,
  releases_getLatestPublicReleaseOfGroup,
  releases_listPublicGroupsOfRelease,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import type { NoteInstall } from '../install/install-notes.ts';
import { getIosManifest } from '../install/ios-manifest.ts';
import { createPublicUpdates, listPublicGroupsForBuild, readInstall } from './in-app-updates.ts';

/** The routes of one process, which share its cache. */
export function inAppUpdateRoutes(noteInstall: NoteInstall) {
  const latestPublic = createPublicUpdates();
  const note = (...report: Parameters<typeof readInstall>) => {
    const installed = readInstall(...report);
    if (installed) noteInstall(installed);
  };
  return [
    route(releases_getLatestPublicRelease, (ctx, { query }) => {
      note(ctx, query);
      return latestPublic(ctx);
    }),
    route(releases_getLatestPublicReleaseOfGroup, (ctx, { params, query }) => {
      note(ctx, query);
      return latestPublic(ctx, params.distribution_group_id);
    }),
    route(releases_listPublicGroupsOfRelease, (ctx, { params }) => listPublicGroupsForBuild(ctx, params.release_hash)),
    route(releases_getLatestByHash, async (ctx, { params }) => {
      if (params.release_hash === 'latest') return latestPublic(ctx);
      const [group] = await listPublicGroupsForBuild(ctx, params.release_hash);
      return latestPublic(ctx, group?.id);
    }),
    route(releases_getIosManifest, async (ctx, { params, query }) => {
      const { app_id: appId, release_id } = params;
      const text = await getIosManifest(ctx, { appId, releaseId: Number(release_id), token: query.token }, noteInstall);
      return { text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` };
    }),
  ];
}
