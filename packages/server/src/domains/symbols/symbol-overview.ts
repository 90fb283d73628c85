import { missingSymbolGroups_list } from '@mooring/contract';
import type { AppOverviewPart } from '../../extensions/app-overviews.ts';
import { toIso } from '../../kernel/clock.ts';
import { listWaitingVersions } from './missing-symbols.store.ts';

const CONSIDERED = 1_000;

/** Reports that wait for symbols; `name` is their version if they have a single one. */
export const symbolOverview: AppOverviewPart = {
  needs: missingSymbolGroups_list,
  async read(ctx) {
    const rows = await listWaitingVersions.all(ctx.db, { appId: ctx.app.id, limit: CONSIDERED });
    const [first] = rows;
    if (!first) return {};
    const versions = new Set(rows.map(({ version }) => version));
    return {
      attention: [
        {
          kind: 'missing_symbols',
          level: 'warning',
          count: rows.reduce((sum, { count }) => sum + Number(count), 0),
          ...(versions.size === 1 ? { name: first.version } : {}),
          at: toIso(first.modified_at),
        },
      ],
    };
  },
};
