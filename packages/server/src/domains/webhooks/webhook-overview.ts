import { webhooks_list } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { toIso } from '../../kernel/clock.ts';
import { listAppWebhooks } from './webhooks.store.ts';

/** Webhooks whose deliveries fail, or that the server disabled for that. */
export const webhookOverview: AppOverviewPart = {
  needs: webhooks_list,
  async read(ctx) {
    const rows = await listAppWebhooks.all(ctx.db, { id: ctx.app.id });
    const failing = rows.filter(
      ({ is_enabled, disabled_reason, failing_since }) =>
        disabled_reason !== null || (is_enabled === 1 && failing_since !== null),
    );
    return {
      attention: summarize(
        'failing_webhook',
        'warning',
        failing.map(({ id, name, failing_since }) => ({
          name,
          path: { webhook_id: id },
          at: failing_since === null ? undefined : toIso(failing_since),
        })),
      ),
    };
  },
};
