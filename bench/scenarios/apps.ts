import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSql } from '../../tools/postgres.ts';
import { type Bench, type Contestant, compete, contestHead, median, number, table } from '../harness.ts';
import { listCost } from '../list-cost.ts';
import { seedApps } from '../seed.ts';

const FEW = 10_000;
const ADDRESS = '/v0.1/apps?$top=30';

interface World {
  engine: 'SQLite' | 'PostgreSQL';
  foreign: number;
  location: string;
  token: string;
  tokensFile: string;
  contestant: Contestant;
}

/** A page of 30 out of 2,000 apps that somebody can see, among few and among ten times as many of other people. */
export async function compareAppLists(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 3 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const worlds: World[] = [];
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
      worlds.push({ engine, foreign, location, token, tokensFile, contestant });
    }
  }
  const [first] = worlds;
  const headers = { 'x-api-token': first?.token ?? '' };
  const body = await (await fetch(`http://127.0.0.1:${first?.contestant.port}${ADDRESS}`, { headers })).text();
  const contestants = [
    await bench.startPeer('bare node:http', 'bare', body),
    ...worlds.map(({ contestant }) => contestant),
  ];
  const loadOf = (contestant: object) => ({
    path: ADDRESS,
    tokensFile: worlds.find((world) => world.contestant === contestant)?.tokensFile ?? '-',
    seconds,
  });
  const { rows } = compete({ contestants, rounds, loadOf });
  for (const { process: child } of contestants) child.kill();

  const costs = new Map<string, number>();
  for (const { engine, foreign, location } of worlds) {
    costs.set(`${engine} ${foreign}`, median(await listCost(location, rounds)));
  }
  const costRows = ['SQLite', 'PostgreSQL'].map((engine) => {
    const [few = 0, many = 0] = [FEW, 10 * FEW].map((foreign) => costs.get(`${engine} ${foreign}`));
    return [engine, number(few, 2), number(many, 2), number(many / few, 2)];
  });
  return [
    `## \`GET ${ADDRESS}\` for somebody in 20 organizations with 2,000 apps`,
    `${rounds} alternating rounds of ${seconds} s each, medians, 64 connections. Every server answers ${number(Buffer.byteLength(body))} bytes. Mooring keeps the answer with the credential until anybody's rights or any app changes.`,
    table(contestHead, rows),
    'The same page when it is not kept, as after a change: milliseconds of its one query.',
    table(['database', `${number(FEW)} foreign apps`, `${number(10 * FEW)} foreign apps`, 'ratio'], costRows),
  ].join('\n\n');
}
