import { crashIssues_list } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../../extensions/app-overviews.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';
import { listOpenCrashes } from './issue-finder.store.ts';

/** Crashes that first occurred within this time are new. */
const NEW = 7 * DAY;
const CONSIDERED = 1_000;

type Row = Awaited<ReturnType<typeof listOpenCrashes.all>>[number];

const toProblem = ({ id, last_at, exception_type, class_name, method }: Row) => ({
  name: (exception_type || `${class_name}.${method}`).slice(0, 200),
  path: { issue_id: id },
  at: toIso(last_at),
});

/** Open crashes of the last four weeks: those that came back, those that are new, and the others. */
export const issueOverview: AppOverviewPart = {
  needs: crashIssues_list,
  async read(ctx) {
    const now = ctx.clock.now();
    const rows = await listOpenCrashes.all(ctx.db, { appId: ctx.app.id, since: now - 28 * DAY, limit: CONSIDERED });
    const byKind = Map.groupBy(rows, ({ first_at, regressed_at }) =>
      regressed_at !== null ? 'regressed_issues' : first_at >= now - NEW ? 'new_crashes' : 'open_crashes',
    );
    const entries = (kind: 'regressed_issues' | 'new_crashes' | 'open_crashes', level: 'urgent' | 'warning') =>
      summarize(kind, level, (byKind.get(kind) ?? []).map(toProblem));
    return {
      attention: [
        ...entries('regressed_issues', 'urgent'),
        ...entries('new_crashes', 'urgent'),
        ...entries('open_crashes', 'warning'),
      ],
    };
  },
};
