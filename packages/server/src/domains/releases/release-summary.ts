import { releases_list } from '@mooring/contract';
import type { AppSummary } from '../../extensions/app-summaries.ts';
import { toIso } from '../../kernel/clock.ts';
import { listLatestReleases } from './release-finder.store.ts';

export const releaseSummary: AppSummary = {
  needs: releases_list,
  async read(ctx, appIds) {
    const rows = await listLatestReleases(ctx.db, appIds);
    return new Map(
      rows.map(({ app_id, id, version, short_version, uploaded_at }) => [
        app_id,
        { latest_release: { id, short_version, version, uploaded_at: toIso(uploaded_at) } },
      ]),
    );
  },
};
