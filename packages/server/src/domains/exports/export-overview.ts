import { ExportConfigurations_List } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { toIso } from '../../kernel/clock.ts';
import { listConfigurationRows } from './configurations.store.ts';

/** Exports that fail or that the server stopped. */
export const exportOverview: AppOverviewPart = {
  needs: ExportConfigurations_List,
  async read(ctx) {
    const rows = await listConfigurationRows.all(ctx.db, { appId: ctx.app.id });
    const failing = rows.filter(
      ({ state, failing_since }) => state === 'Invalid' || (state !== 'Disabled' && failing_since !== null),
    );
    return {
      attention: summarize(
        'failing_export',
        'warning',
        failing.map(({ id, type, resource_name, last_error_at }) => ({
          name: resource_name ?? type,
          path: { export_configuration_id: id },
          at: last_error_at === null ? undefined : toIso(last_error_at),
        })),
      ),
    };
  },
};
