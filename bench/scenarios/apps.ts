import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSql } from '../../test-support/postgres.ts';
import { seedApps } from '../fixtures/seed.ts';
import { type Bench, type Contestant, compete, contestHead, median, number, table } from '../harness.ts';
import { listCost } from '../list-cost.ts';

const FEW = 10_000;
const ADDRESS = '/v0.1/apps?$top=30';

interface Contest {
  engine: 'SQLite' | 'PostgreSQL';
  foreign: number;
  location: string;
  token: string;
  tokensFile: string;
  contestant: Contestant;
}

/** A page of 30 of the 2,000 apps that a user can see, on a server with few other apps, and with ten times as many. */
export async function compareAppLists(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 3 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const contests: Contest[] = [];
  for (const foreign of [FEW, 10 * FEW]) {
    for (const engine of ['SQLite', 'PostgreSQL'] as const) {
      const dataDir = bench.at(`apps-${engine}-${foreign}`);
      const databaseUrl = engine === 'PostgreSQL' ? await bench.postgresDatabase(`apps_${foreign}`) : undefined;
      const location = databaseUrl ?? path.join(dataDir, 'mooring.db');
      const token = await seedApps(location, foreign);
      if (databaseUrl) await runSql(databaseUrl, 'VACUUM ANALYZE');
      const tokensFile = bench.at(`apps-${engine}-${foreign}.tokens`);
      writeFileSync(tokensFile, token);
      const name = `Mooring on ${engine}, ${number(foreign)} foreign apps`;
      const contestant = await bench.startMooring(name, { dataDir, databaseUrl });
      contests.push({ engine, foreign, location, token, tokensFile, contestant });
    }
  }
  const [first] = contests;
  const headers = { 'x-api-token': first?.token ?? '' };
  const body = await (await fetch(`http://127.0.0.1:${first?.contestant.port}${ADDRESS}`, { headers })).text();
  const contestants = [
    await bench.startPeer('bare node:http', 'bare', body),
    ...contests.map(({ contestant }) => contestant),
  ];
  const getLoad = (contestant: object) => ({
    path: ADDRESS,
    tokensFile: contests.find((contest) => contest.contestant === contestant)?.tokensFile ?? '-',
    seconds,
  });
  const { rows } = compete({ contestants, rounds, getLoad });
  for (const { process: child } of contestants) child.kill();

  const costs = new Map<string, number>();
  for (const { engine, foreign, location } of contests) {
    costs.set(`${engine} ${foreign}`, median(await listCost(location, rounds)));
  }
  const costRows = ['SQLite', 'PostgreSQL'].map((engine) => {
    const [few = 0, many = 0] = [FEW, 10 * FEW].map((foreign) => costs.get(`${engine} ${foreign}`));
    return [engine, number(few, 2), number(many, 2), number(many / few, 2)];
  });
  return [
    `## \`GET ${ADDRESS}\` as a user in 20 organizations with 2,000 apps`,
    `${rounds} alternating rounds of ${seconds} s each, medians, 64 connections. Every server returns ${number(Buffer.byteLength(body))} bytes. Mooring caches the response with the credential until any permission or app changes.`,
    table(contestHead, rows),
    'The same page without the cache, as after a change: milliseconds of its one query.',
    table(['database', `${number(FEW)} foreign apps`, `${number(10 * FEW)} foreign apps`, 'ratio'], costRows),
  ].join('\n\n');
}
