import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { seedTokens } from '../fixtures/seed.ts';
import { type Bench, compete, contestHead, getRatio, load, number, rss, table } from '../harness.ts';

const TOKENS = 5000;

/** An authenticated read of one row, and the memory that the server needs for it. */
export async function compareUserReads(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 3 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const sqliteDir = bench.at('user');
  const postgresUrl = await bench.postgresDatabase('user_reads');
  const sqliteTokens = await seedTokens(path.join(sqliteDir, 'mooring.db'), TOKENS, TOKENS);
  const postgresTokens = await seedTokens(postgresUrl, TOKENS, TOKENS);
  const files = { sqlite: bench.at('sqlite.tokens'), postgres: bench.at('postgres.tokens') };
  writeFileSync(files.sqlite, sqliteTokens.join('\n'));
  writeFileSync(files.postgres, postgresTokens.join('\n'));
  const sqlite = await bench.startMooring('Mooring on SQLite', { dataDir: sqliteDir });
  const memory = [rss(sqlite.process)];
  const postgres = await bench.startMooring('Mooring on PostgreSQL', {
    databaseUrl: postgresUrl,
    dataDir: bench.at('user-postgres'),
  });
  const headers = { 'x-api-token': sqliteTokens[0] ?? '' };
  const body = await (await fetch(`http://127.0.0.1:${sqlite.port}/v0.1/user`, { headers })).text();
  const contestants = [
    await bench.startPeer('bare node:http', 'bare', body),
    await bench.startPeer('Fastify alone', 'fastify', body),
    sqlite,
    postgres,
  ];
  const getLoad = (contestant: object) => ({
    path: '/v0.1/user',
    tokensFile: contestant === postgres ? files.postgres : files.sqlite,
    seconds,
  });
  const contest = compete({ contestants, rounds, getLoad });
  for (const [{ name }, atLeast] of [
    [sqlite, 0.7],
    [postgres, 0.55],
  ] as const) {
    const what = `Authenticated read, ${name}, of bare`;
    bench.goal({ what, aim: { atLeast }, measured: getRatio(contest, name), digits: 2 });
  }
  memory.push(rss(sqlite.process));
  for (let n = 0, served = 0; served < 200_000 && n < 100; n++) {
    served += load(sqlite, { ...getLoad(sqlite), seconds: 5 }).perSecond * 5;
    memory.push(rss(sqlite.process));
  }
  for (const { process: child } of contestants) child.kill();
  return [
    `## \`GET /v0.1/user\`, ${number(TOKENS)} tokens in rotation, 64 connections`,
    `${rounds} alternating rounds of ${seconds} s each, medians. Every server returns the same ${Buffer.byteLength(body)} bytes; Mooring logs each request and counts it against its rate limit.`,
    table(contestHead, contest.rows),
    '### Memory of the server on SQLite',
    `After start ${number(memory[0] ?? 0)} MB; after the rounds above ${number(memory[1] ?? 0)} MB; then, over at least 200,000 further requests, measured every 5 s: ${memory
      .slice(2)
      .map((mb) => number(mb))
      .join(', ')} MB.`,
  ].join('\n\n');
}
