import path from 'node:path';
import { seedSearch, termsFor } from '../fixtures/search-fixtures.ts';
import { type Bench, type Contestant, number, table } from '../harness.ts';

const COUNT = 100_000;
const SLOWEST = 50;

/** Milliseconds until the response is complete, one search after the other. */
async function measureTimes({ port }: Contestant, token: string, address: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  // The first search only warms up.
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${address}`, { headers: { 'x-api-token': token } });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    if (round > 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;

async function countKinds({ port }: Contestant, token: string, address: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${address}`, { headers: { 'x-api-token': token } });
  const { values } = (await answer.json()) as { values: { kind: string }[] };
  return new Set(values.map(({ kind }) => kind).filter((kind) => kind !== 'operation')).size;
}

/** The global search, among many resources of each kind, compared to a minimal read. */
export async function measureSearch(bench: Bench): Promise<string> {
  const count = bench.isQuick ? COUNT / 10 : COUNT;
  const rounds = bench.isQuick ? 10 : 30;
  const rows: string[][] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const dataDir = bench.at(`search-${engine}`);
    const databaseUrl = engine === 'PostgreSQL' ? await bench.postgresDatabase('search') : undefined;
    const tokens = await seedSearch(databaseUrl ?? path.join(dataDir, 'mooring.db'), count);
    const server = await bench.startMooring(`search on ${engine}`, {
      dataDir,
      ...(databaseUrl ? { databaseUrl } : {}),
    });
    for (const [who, token] of [
      ['everything', tokens.everything],
      ['3 apps', tokens.few],
    ] as const) {
      const bare = at(await measureTimes(server, token, '/v0.1/user', rounds), 0.5);
      const slowest: number[] = [];
      for (const [what, term] of Object.entries(termsFor(count))) {
        const address = `/v0.1/search?q=${term}`;
        const times = await measureTimes(server, token, address, rounds);
        const [p50, p95] = [at(times, 0.5), at(times, 0.95)];
        slowest.push(p95);
        const kinds = String(await countKinds(server, token, address));
        rows.push([engine, who, what, kinds, `${number(p50, 1)} ms`, `${number(p95, 1)} ms`, number(p50 / bare, 1)]);
      }
      bench.goal({
        what: `Search on ${engine}, as a user who sees ${who}, p95`,
        aim: { atMost: SLOWEST },
        measured: Math.max(...slowest),
        unit: ' ms',
        digits: 1,
      });
    }
    server.process.kill();
  }
  return [
    `## Global search among ${number(count)} of each kind`,
    `\`GET /v0.1/search\` over HTTP, one request after the other, ${rounds} times each, in a database with ${number(count)} apps, people, releases, issues of crashes, builds and health events each. One user is an admin of the organization of all apps and users, the other one a viewer of three apps without an organization. Names of events are in no database: the console finds those of the app that is shown. The ratio is that to \`GET /v0.1/user\` of the same caller, in the middle. Limit: ${SLOWEST} ms, p95.`,
    table(
      ['database', 'the user sees', 'resources with the term', 'kinds found', 'p50', 'p95', 'of a user read'],
      rows,
    ),
  ].join('\n\n');
}
