import { crashIssues_list } from '@mooring/contract';
import type { AppSummary } from '../../../extensions/app-summaries.ts';
import { DAY } from '../../../kernel/clock.ts';
import { countOpenCrashes } from './issue-finder.store.ts';

export const issueSummary: AppSummary = {
  needs: crashIssues_list,
  async read(ctx, appIds) {
    const rows = await countOpenCrashes(ctx.db, appIds, ctx.clock.now() - 28 * DAY);
    const counts = new Map(rows.map(({ app_id, count }) => [app_id, Number(count)]));
    return new Map(appIds.map((id) => [id, { open_crashes: counts.get(id) ?? 0 }]));
  },
};
