import type { Bench } from '../harness.ts';
import { compareHealthGrowth } from './health/growth.ts';
import { measurePublishing } from './health/publishing.ts';
import { raceHealthLists } from './health/race.ts';

/** Listing and publishing health events. */
export async function compareHealth(bench: Bench): Promise<string> {
  const count = bench.isQuick ? 20_000 : 100_000;
  return [
    '## Health events',
    await raceHealthLists(bench, count),
    await compareHealthGrowth(bench, bench.isQuick ? 2000 : 10_000, bench.isQuick ? 25 : 100),
    await measurePublishing(bench, count),
  ].join('\n\n');
}
