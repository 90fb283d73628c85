import type { Ctx } from '../../context.ts';
import { type Outcome, type TestSummary, testKey } from './results.ts';
import { readDevices } from './run-ending.ts';
import { listOutcomes, listRunDevices, type RunDeviceRow } from './test-runs.store.ts';

/** What counts for more comes first: a test passes only if it passes on every device. */
const weights: readonly Outcome['status'][] = ['failed', 'running', 'passed', 'skipped'];

type Kept = Pick<RunDeviceRow, 'outcomes'>;

/** As it was kept when the run ended; of one that still runs, or that ended before anything was kept, by its events. */
async function outcomesOf(ctx: Pick<Ctx, 'db'>, runId: string, kept: readonly Kept[]): Promise<TestSummary[]> {
  if (kept.every(({ outcomes }) => outcomes !== null)) {
    return kept.flatMap(({ outcomes }) => JSON.parse(outcomes ?? '[]') as TestSummary[]);
  }
  const rows = await listRunDevices.all(ctx.db, { runId });
  return (await readDevices(ctx, rows)).flatMap(({ outcomes }) => outcomes);
}

/** How tests went over all devices of a run, by their keys, in the order in which they came to run; the longest duration. */
export async function readSummaries(
  ctx: Pick<Ctx, 'db'>,
  runId: string,
  known?: readonly Kept[],
): Promise<Map<string, TestSummary>> {
  const kept = known ?? (await listOutcomes.all(ctx.db, { runId }));
  const summaries = new Map<string, TestSummary>();
  for (const { suite, test, status, milliseconds, message } of await outcomesOf(ctx, runId, kept)) {
    const key = testKey({ suite, test });
    const known = summaries.get(key);
    const isWorse = !known || weights.indexOf(status) < weights.indexOf(known.status);
    summaries.set(key, {
      ...(isWorse ? { suite, test, status, message } : known),
      milliseconds: Math.max(milliseconds, known?.milliseconds ?? 0),
    });
  }
  return summaries;
}
