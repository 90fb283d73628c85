import { builds_list } from '@mooring/contract';
import type { AppSummary } from '../../extensions/app-summaries.ts';
import { toIso } from '../../kernel/clock.ts';
import { listLatestBuilds } from './build-finder.store.ts';

export const buildSummary: AppSummary = {
  needs: builds_list,
  async read(ctx, appIds) {
    const rows = await listLatestBuilds(ctx.db, appIds);
    return new Map(
      rows.map(({ app_id, id, branch, status, result, queued_at }) => [
        app_id,
        { last_build: { id, branch, status, result, queued_at: toIso(queued_at) } },
      ]),
    );
  },
};
