import { hash } from 'node:crypto';
import {
  releases_getIosManifest,
  releases_getLatestByHash,
  releases_getLatestPublicRelease,
  releases_getLatestPublicReleaseOfGroup,
  releases_listPublicGroupsOfRelease,
} from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { route } from '../../http/mount.ts';
import type { AppRef } from '../apps/index.ts';
import { createPublicUpdates, listPublicGroupsOfBuild, noteInstall } from './in-app-updates.ts';
import { getIosManifest } from './ios-manifest.ts';

interface Asked {
  distribution_group_id?: string;
  downloaded_release_id?: string;
  install_id?: string;
}

const uuid = /^[0-9a-f-]{36}$/i;

/** What the SDK installed since it asked last. */
function note(ctx: Ctx & { app: AppRef }, asked: Asked): void {
  const releaseId = Number(asked.downloaded_release_id);
  if (!Number.isInteger(releaseId) || releaseId < 1 || releaseId > 999_999_999) return;
  const groupId = uuid.test(asked.distribution_group_id ?? '') ? (asked.distribution_group_id ?? '') : '';
  noteInstall(ctx, { releaseId, groupId, installer: asked.install_id ?? '' });
}

/** The routes of one process, which share what it remembers. */
export function inAppUpdateRoutes(deps: Deps) {
  const latestPublic = createPublicUpdates(deps);
  return [
    route(releases_getLatestPublicRelease, (ctx, { query }) => {
      if (query.downloaded_release_id !== undefined) note(ctx, query);
      return latestPublic(ctx);
    }),
    route(releases_getLatestPublicReleaseOfGroup, (ctx, { params, query }) => {
      if (query.downloaded_release_id !== undefined) note(ctx, query);
      return latestPublic(ctx, params.distribution_group_id);
    }),
    route(releases_listPublicGroupsOfRelease, (ctx, { params }) => listPublicGroupsOfBuild(ctx, params.release_hash)),
    route(releases_getLatestByHash, async (ctx, { params }) => {
      if (params.release_hash === 'latest') return latestPublic(ctx);
      const [group] = await listPublicGroupsOfBuild(ctx, params.release_hash);
      return latestPublic(ctx, group?.id);
    }),
    route(releases_getIosManifest, async (ctx, { params, query }) => {
      const text = await getIosManifest(ctx, params.app_id, Number(params.release_id), query.token);
      return { text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` };
    }),
  ];
}
