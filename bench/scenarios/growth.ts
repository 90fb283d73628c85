import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSql } from '../../test-support/postgres.ts';
import { type Curve, drawCurves } from '../curves.ts';
import { seedHealth } from '../fixtures/health-seed.ts';
import { seedApps, seedTokens, seedUsers } from '../fixtures/seed.ts';
import { type Bench, median, number, table } from '../harness.ts';
import { openPages } from '../health-cost.ts';
import { listCost } from '../list-cost.ts';
import { lookupCost, tokenByValue, userByEmail } from '../lookup-cost.ts';

const SAMPLE = 5000;
const engines = ['SQLite', 'PostgreSQL'] as const;

/** A growing table, its initial size, and the cost in µs of a lookup. */
const kinds: { what: string; work: string; base: number; cost(at: string, count: number): Promise<number> }[] = [
  {
    what: 'users',
    work: 'one by email',
    base: 100,
    cost: async (location, count) => {
      const keys = await seedUsers(location, count);
      await settle(location);
      return lookupCost(location, { find: userByEmail, keys: keys.slice(0, SAMPLE), rounds: 5 });
    },
  },
  {
    what: 'tokens',
    work: 'one by its value',
    base: 1000,
    cost: async (location, count) => {
      const keys = await seedTokens(location, count, SAMPLE);
      await settle(location);
      return lookupCost(location, { find: tokenByValue, keys, rounds: 5 });
    },
  },
  {
    what: 'apps of others',
    work: 'a page of 30 of the caller’s own 2,000',
    base: 100,
    cost: async (location, count) => {
      await seedApps(location, count);
      await settle(location);
      return median(await listCost(location, 5)) * 1000;
    },
  },
  {
    what: 'health events',
    work: 'a filtered page of 100',
    base: 1000,
    cost: async (location, count) => {
      await seedHealth(location, 1000, count / 1000);
      const pages = await openPages(location, count);
      const costs: number[] = [];
      for (let round = 0; round < 7; round++) costs.push((await pages.cost())[0] * 1000);
      await pages.close();
      return median(costs.slice(1));
    },
  },
];

/** The planner of PostgreSQL needs current statistics. */
const settle = async (location: string): Promise<void> => {
  if (location.includes('://')) await runSql(location, 'VACUUM ANALYZE');
};

/** How the cost of a lookup grows with the number of rows: a table and a chart. */
export async function drawGrowth(bench: Bench): Promise<string> {
  const factors = bench.isQuick ? [1, 10] : [1, 10, 100, 1000];
  const rows: string[][] = [];
  const curves: Curve[] = [];
  for (const engine of engines) {
    for (const [n, { what, work, base, cost }] of kinds.entries()) {
      const costs: number[] = [];
      for (const factor of factors) {
        const name = `grow_${n}_${factor}`;
        const location =
          engine === 'SQLite' ? path.join(bench.at(name), 'mooring.db') : await bench.postgresDatabase(name);
        costs.push(await cost(location, base * factor));
      }
      const slope = Math.log((costs.at(-1) ?? 1) / (costs[0] ?? 1)) / Math.log(factors.at(-1) ?? 1);
      const figures = costs.map((figure) => number(figure, figure < 100 ? 1 : 0));
      rows.push([engine, `${what}: ${work}`, number(base), ...figures, number(slope, 3)]);
      curves.push({ panel: engine, name: what, points: factors.map((x, at) => [x, costs[at] ?? 0]) });
    }
  }
  if (!bench.isQuick) writeFileSync(path.join(import.meta.dirname, '../growth.svg'), drawCurves(curves));
  return [
    '## Cost by number of resources',
    'Microseconds of one operation with its database, without HTTP, with a base number of resources and ten, a hundred and a thousand times as many; medians. The slope is the exponent: 0 is constant, 1 is linear. With the fewest events a page is not full.',
    table(['database', 'among', 'base', ...factors.map((factor) => `× ${number(factor)}`), 'slope'], rows),
    '![Cost against number, both logarithmic](growth.svg)',
  ].join('\n\n');
}
