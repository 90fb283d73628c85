import path from 'node:path';
import { type Bench, number, table } from '../../harness.ts';
import { pageCost } from '../../health-cost.ts';
import { seedHealth } from '../../health-seed.ts';

/** What a page costs among few events and among a hundred times as many. */
export async function compareHealthGrowth(bench: Bench, few: number, copies: number): Promise<string> {
  const rows: string[][] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const locations: [string, number][] = [];
    for (const times of [1, copies]) {
      const name = `growth_${times}`;
      const location =
        engine === 'PostgreSQL' ? await bench.postgresDatabase(name) : path.join(bench.at(name), 'mooring.db');
      await seedHealth(location, few, times);
      locations.push([location, few * times]);
    }
    const costs: [number, number][] = [];
    for (const [location, count] of locations) costs.push(await pageCost(location, count, bench.isQuick ? 5 : 15));
    for (const [at, which] of ['first', 'middle'].entries()) {
      const [small = 0, large = 0] = costs.map((cost) => cost[at]);
      rows.push([`${engine}, ${which} page`, number(small, 2), number(large, 2), number(large / small, 2)]);
    }
  }
  return [
    '### How the cost of a page grows',
    'Milliseconds to make the page, from the query to the bytes, without HTTP; medians.',
    table(['', `${number(few)} events`, `${number(few * copies)} events`, 'ratio'], rows),
  ].join('\n\n');
}
