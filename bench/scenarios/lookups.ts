import { runSql } from '../../test-support/postgres.ts';
import { seedTokens } from '../fixtures/seed.ts';
import { type Bench, number, table } from '../harness.ts';
import { lookupCost, tokenByValue } from '../lookup-cost.ts';

const FEW = 5000;

/** The cost of finding a token among many. */
export async function compareLookups(bench: Bench): Promise<string> {
  const many = bench.isQuick ? 100_000 : 5_000_000;
  const rows: string[][] = [];
  for (const engine of ['SQLite', 'PostgreSQL']) {
    const costs: number[] = [];
    for (const count of [FEW, many]) {
      const name = `lookup_${count}`;
      const location = engine === 'SQLite' ? bench.at(`${name}.db`) : await bench.postgresDatabase(name);
      const sample = await seedTokens(location, count, 20_000);
      if (engine === 'PostgreSQL') await runSql(location, 'VACUUM ANALYZE');
      costs.push(await lookupCost(location, { find: tokenByValue, keys: sample, rounds: 5 }));
    }
    const [few = 0, most = 0] = costs;
    rows.push([engine, number(few, 1), number(most, 1), number(most / few, 2)]);
  }
  return [
    '## Looking up a token',
    'Microseconds for one lookup of a random token, SHA-256 and the join with its user included; 20,000 tokens a round, median of 5 rounds.',
    table(['database', `${number(FEW)} tokens`, `${number(many)} tokens`, 'ratio'], rows),
  ].join('\n\n');
}
