import type { AppCtx } from '../../../context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type RunNow, readRunNow } from '../runs/live-run.ts';
import { findPreviousRun } from '../runs/test-runs.store.ts';
import { getRunRow } from '../runs/test-runs.ts';
import type { ComparedDuration } from './compared-tests.ts';
import { type PackedText, workOnResults } from './results-reading.ts';
import { readPastRun } from './test-summaries.ts';

export interface Comparison {
  run: RunNow;
  before: RunNow;
  /** JSON: the tests that differ. */
  text: PackedText;
  durations: ComparedDuration[];
}

/** Compares a run with another one, by default the previous finished run with the same framework and series. */
export async function compareRuns(ctx: AppCtx, id: string, otherId?: string): Promise<Comparison> {
  const { framework, series } = await getRunRow(ctx, id);
  const which = { appId: ctx.app.id, id, framework: framework ?? '', series: series ?? '' };
  const beforeId = otherId ?? (await findPreviousRun.first(ctx.db, which))?.id;
  if (beforeId === undefined)
    throw new Failure('NotFound', 'No earlier finished test run has the same framework and series.');
  const before = await readRunNow(ctx, beforeId);
  const input = { before: await readPastRun(ctx, beforeId), now: await readPastRun(ctx, id) };
  return { run: await readRunNow(ctx, id), before, ...(await workOnResults(ctx, 'compare', input)) };
}
