import type { Ctx } from '../../context.ts';
import { type Outcome, testKey } from './results.ts';
import { readDevice } from './run-ending.ts';
import { listRunDevices } from './test-runs.store.ts';

/** How a test went over all devices of a run. */
export type TestSummary = Pick<Outcome, 'suite' | 'test' | 'status' | 'milliseconds' | 'message'>;

/** What counts for more comes first: a test passes only if it passes on every device. */
const weights: readonly Outcome['status'][] = ['failed', 'running', 'passed', 'skipped'];

/** By their keys, in the order in which they came to run; the longest duration of all devices. */
export async function readSummaries(ctx: Pick<Ctx, 'db'>, runId: string): Promise<Map<string, TestSummary>> {
  const summaries = new Map<string, TestSummary>();
  for (const row of await listRunDevices.all(ctx.db, { runId })) {
    for (const { suite, test, status, milliseconds, message } of (await readDevice(ctx, row)).outcomes) {
      const key = testKey({ suite, test });
      const known = summaries.get(key);
      const isWorse = !known || weights.indexOf(status) < weights.indexOf(known.status);
      summaries.set(key, {
        ...(isWorse ? { suite, test, status, message } : known),
        milliseconds: Math.max(milliseconds, known?.milliseconds ?? 0),
      });
    }
  }
  return summaries;
}
