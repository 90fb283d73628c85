import path from 'node:path';
import { seedHealth } from '../../fixtures/health-seed.ts';
import { type Bench, median, number, table } from '../../harness.ts';
import { openPages, type Pages } from '../../health-cost.ts';

/** The cost of a page among few events and among a hundred times as many. */
export async function compareHealthGrowth(bench: Bench, few: number, copies: number): Promise<string> {
  const rounds = bench.isQuick ? 7 : 15;
  const rows: string[][] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const sizes: Pages[] = [];
    for (const times of [1, copies]) {
      const name = `growth_${times}`;
      const location =
        engine === 'PostgreSQL' ? await bench.postgresDatabase(name) : path.join(bench.at(name), 'mooring.db');
      await seedHealth(location, few, times);
      sizes.push(await openPages(location, few * times));
    }
    const costs = sizes.map((): [number[], number[]] => [[], []]);
    for (let round = 0; round <= rounds; round++) {
      for (const [size, pages] of sizes.entries()) {
        const cost = await pages.cost();
        // The first round only warms up.
        if (round > 0) cost.forEach((ms, at) => void costs[size]?.[at]?.push(ms));
      }
    }
    for (const pages of sizes) await pages.close();
    for (const [at, which] of ['first', 'middle'].entries()) {
      const [small = 0, large = 0] = costs.map((cost) => median(cost[at] ?? []));
      rows.push([`${engine}, ${which} page`, number(small, 2), number(large, 2), number(large / small, 2)]);
    }
  }
  return [
    '### Cost of a page by number of events',
    'Milliseconds to compute the page, from the query to the bytes, without HTTP; medians of alternating rounds.',
    table(['', `${number(few)} events`, `${number(few * copies)} events`, 'ratio'], rows),
  ].join('\n\n');
}
