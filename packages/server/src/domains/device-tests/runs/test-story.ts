import { test_getTestRuns } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import type { StoryPart, StorySubject } from '../../../extensions/story-parts.ts';
import { toIso } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import { findRun, listStoryRuns, type RunRow } from './test-runs.store.ts';
import { parseStats } from './test-runs.ts';

const MAX_RUNS = 5;

async function listRuns(ctx: AppCtx, { testRunId, releaseId, buildId }: StorySubject): Promise<RunRow[]> {
  const appId = ctx.app.id;
  const named = testRunId === undefined ? undefined : await findRun.first(ctx.db, { appId, id: testRunId });
  if (testRunId !== undefined && !named) throw notFound('test run', testRunId);
  if (releaseId === undefined && buildId === undefined) return named ? [named] : [];
  return listStoryRuns(ctx.db, { appId, releaseId, buildId, limit: MAX_RUNS });
}

/** Test runs of a release and of its build. */
export const testStory: StoryPart = {
  needs: test_getTestRuns,
  async read(ctx, subject) {
    const runs = await listRuns(ctx, subject);
    return {
      tests: runs.map((row) => {
        const { passed, failed } = parseStats(row);
        return {
          id: row.id,
          series: row.series ?? undefined,
          status: row.status,
          result: row.result,
          passed,
          failed,
          at: toIso(row.created_at),
        };
      }),
    };
  },
};
