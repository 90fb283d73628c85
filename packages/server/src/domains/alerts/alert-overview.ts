import { alertRules_list } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { toIso } from '../../kernel/clock.ts';
import { listAppRules } from './alerts.store.ts';

/** Rules that alert now. */
export const alertOverview: AppOverviewPart = {
  needs: alertRules_list,
  async read(ctx) {
    const rows = await listAppRules.all(ctx.db, { appId: ctx.app.id });
    const alerting = rows.filter(({ is_enabled, alert_id }) => is_enabled === 1 && alert_id !== null);
    return {
      attention: summarize(
        'alerting_rule',
        'urgent',
        alerting.map(({ id, name, since }) => ({
          name,
          path: { rule_id: id },
          at: since === null ? undefined : toIso(since),
        })),
      ),
    };
  },
};
