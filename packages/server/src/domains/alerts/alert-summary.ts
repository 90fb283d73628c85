import { alertRules_list } from '@mooring/contract';
import type { AppSummary } from '../../extensions/app-summaries.ts';
import { countAlertingRules } from './alerts.store.ts';

export const alertSummary: AppSummary = {
  needs: alertRules_list,
  async read(ctx, appIds) {
    const rows = await countAlertingRules(ctx.db, appIds);
    const counts = new Map(rows.map(({ app_id, count }) => [app_id, Number(count)]));
    return new Map(appIds.map((id) => [id, { alerting_rules: counts.get(id) ?? 0 }]));
  },
};
