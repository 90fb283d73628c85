import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import type { ComparedDuration } from './compared-tests.ts';
import { type RunNow, readRunNow } from './live-run.ts';
import { type PackedText, workOnResults } from './results-reading.ts';
import { findPreviousRun } from './test-runs.store.ts';
import { getRunRow } from './test-runs.ts';
import { readPastRun } from './test-summaries.ts';

export interface Comparison {
  run: RunNow;
  before: RunNow;
  /** JSON: the tests that differ. */
  text: PackedText;
  durations: ComparedDuration[];
}

/** A run with another one, or with the one that finished before it with the same framework and of the same series. */
export async function compareRuns(ctx: AppCtx, id: string, otherId?: string): Promise<Comparison> {
  const { framework, series } = await getRunRow(ctx, id);
  const which = { appId: ctx.app.id, id, framework: framework ?? '', series: series ?? '' };
  const beforeId = otherId ?? (await findPreviousRun.first(ctx.db, which))?.id;
  if (beforeId === undefined) throw notFound('test run before this one');
  const before = await readRunNow(ctx, beforeId);
  const input = { before: await readPastRun(ctx, beforeId), now: await readPastRun(ctx, id) };
  return { run: await readRunNow(ctx, id), before, ...(await workOnResults(ctx, 'compare', input)) };
}
