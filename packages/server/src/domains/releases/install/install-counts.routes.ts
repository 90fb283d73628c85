import { Analytics_DistributionReleaseCounts, releases_noteInstalls } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { countReleases, noteInstalls } from './install-counts.ts';

export const installCountRoutes = [
  route(releases_noteInstalls, (ctx, { params, body }) =>
    noteInstalls(
      ctx,
      params.owner_name,
      params.app_name,
      body.releases.flatMap(({ release_id, distribution_group_id = '', user_id = '' }) =>
        /^[1-9]\d{0,8}$/.test(String(release_id))
          ? [{ releaseId: Number(release_id), groupId: distribution_group_id, visitor: user_id }]
          : [],
      ),
    ),
  ),
  route(Analytics_DistributionReleaseCounts, async (ctx, { body }) => {
    const queries = body.releases.map(({ release, distribution_group }) => ({
      release,
      groupId: distribution_group,
    }));
    const counts = await countReleases(ctx, queries);
    return {
      total: counts.reduce((sum, { total }) => sum + total, 0),
      counts: counts.map(({ release, groupId, total, unique }) => ({
        release_id: release,
        distribution_group: groupId,
        unique_count: unique,
        total_count: total,
      })),
    };
  }),
];
