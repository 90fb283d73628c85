import { type Outcome, type TestSummary, testKey } from './results.ts';

/** Worst status first: a test passes only if it passes on every device. */
const weights: readonly Outcome['status'][] = ['failed', 'running', 'passed', 'skipped'];

/** Summarizes tests over all devices of a run by key, in the order they ran, with the longest duration. */
export function summarize(devices: readonly (readonly TestSummary[])[]): Map<string, TestSummary> {
  const summaries = new Map<string, TestSummary>();
  for (const { suite, test, status, milliseconds, message } of devices.flat()) {
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
