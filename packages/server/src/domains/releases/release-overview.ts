import { releases_list } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { toIso } from '../../kernel/clock.ts';
import { listLatestReleases } from './release-finder.store.ts';
import { listPublished } from './stores/stores.store.ts';

const CONSIDERED = 100;

/** The latest release, and stores that refused the latest release they were sent. */
export const releaseOverview: AppOverviewPart = {
  needs: releases_list,
  async read(ctx) {
    const [[latest], published] = await Promise.all([
      listLatestReleases(ctx.db, [ctx.app.id]),
      listPublished.all(ctx.db, { appId: ctx.app.id, limit: CONSIDERED }),
    ]);
    const byStore = Map.groupBy(published, ({ store_id }) => store_id);
    const failed = [...byStore.values()].flatMap(([last]) => (last?.status === 'failed' ? last : []));
    return {
      ...(latest
        ? {
            latest_release: {
              id: latest.id,
              short_version: latest.short_version,
              version: latest.version,
              uploaded_at: toIso(latest.uploaded_at),
            },
          }
        : {}),
      attention: summarize(
        'failed_publishing',
        'warning',
        failed.map(({ name, release_id, added_at }) => ({
          name,
          path: { release_id: String(release_id) },
          at: toIso(added_at),
        })),
      ),
    };
  },
};
