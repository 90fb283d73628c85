import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql, startPostgres } from '../tools/postgres.ts';
import { lookupCost, median } from './lookup.ts';
import { seed } from './seed.ts';

/**
 * `npm run bench`: everything side by side in one run. `--servers` or `--lookups` for one part, which then replaces its
 * part of the results; `--quick` for few rounds of the servers, only printed.
 */
const isQuick = process.argv.includes('--quick');
const only = (part: string): boolean =>
  process.argv.includes(`--${part}`) || !process.argv.some((word) => word === '--servers' || word === '--lookups');
const ROUNDS = isQuick ? 3 : 7;
const SECONDS = isQuick ? 2 : 4;
const TOKENS = 5000;
const MANY = 5_000_000;

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), 'mooring-bench-'));
const at = (name: string) => path.join(folder, name);
const running: ChildProcess[] = [];

interface Contestant {
  name: string;
  port: number;
  process: ChildProcess;
  tokensFile: string;
}

interface Measured {
  perSecond: number;
  bad: number;
  bytes: number;
  p50: number;
  p99: number;
}

/** Output goes to a file, as it would in production: a pipe that nobody empties during a round would pile up inside. */
async function start(script: string, args: string[], env: Record<string, string>, ready: RegExp) {
  const output = at(`output-${running.length}`);
  const child = spawn(process.execPath, ['--max-semi-space-size=2', script, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX,
      ...env,
    },
    stdio: ['ignore', openSync(output, 'w'), 'inherit'],
  });
  running.push(child);
  while (!ready.test(readFileSync(output, 'utf8'))) {
    if (child.exitCode !== null) throw new Error(`${script} ended:\n${readFileSync(output, 'utf8')}`);
    await sleep(50);
  }
  return { child, printed: readFileSync(output, 'utf8') };
}

async function startMooring(name: string, location: string | undefined, dataDir: string, tokens: string[]) {
  const env = {
    MOORING_HTTP_PORT: '0',
    MOORING_HTTPS_PORT: '0',
    MOORING_DATA_DIR: dataDir,
    MOORING_RATE_LIMIT: '1000000000',
    MOORING_ADMIN_EMAIL: 'admin@example.com',
    MOORING_ADMIN_PASSWORD: 'correct horse battery',
    ...(location ? { MOORING_DATABASE_URL: location } : {}),
  };
  const main = path.join(here, '../packages/server/src/main.ts');
  const { child, printed } = await start(main, [], env, /Sign in/);
  const tokensFile = at(`${name}.tokens`);
  writeFileSync(tokensFile, tokens.join('\n'));
  const port = Number(/Console\s+http:\/\/localhost:(\d+)/.exec(printed)?.[1]);
  return { name, port, process: child, tokensFile };
}

const rss = (child: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

function load({ port, tokensFile }: Contestant, seconds: number): Measured {
  const args = [path.join(here, 'load.ts'), String(port), '/v0.1/user', tokensFile, '64', String(seconds)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

interface Parts {
  servers?: string;
  lookups?: string;
}

/** What an earlier run found out. */
function readParts(): Parts {
  const results = path.join(here, 'results.md');
  const text = existsSync(results) ? readFileSync(results, 'utf8').trim() : '';
  const [servers, lookups] = ['## `GET', '## Looking'].map((heading) => text.indexOf(heading));
  if (servers === undefined || lookups === undefined || servers === -1 || lookups === -1) return {};
  return { servers: text.slice(servers, lookups).trim(), lookups: text.slice(lookups) };
}

async function compareServers(postgresUrl: string): Promise<string> {
  const sqliteDir = at('sqlite');
  execFileSync('mkdir', ['-p', sqliteDir, at('postgres')]);
  const sqliteTokens = await seed(path.join(sqliteDir, 'mooring.db'), TOKENS, TOKENS);
  const postgresTokens = await seed(postgresUrl, TOKENS, TOKENS);
  const sqlite = await startMooring('Mooring on SQLite', undefined, sqliteDir, sqliteTokens);
  const memoryAtStart = rss(sqlite.process);
  const postgres = await startMooring('Mooring on PostgreSQL', postgresUrl, at('postgres'), postgresTokens);
  const answer = await fetch(`http://127.0.0.1:${sqlite.port}/v0.1/user`, {
    headers: { 'x-api-token': sqliteTokens[0] ?? '' },
  });
  const body = await answer.text();
  const peer = async (name: string, file: string, port: number): Promise<Contestant> => {
    const { child } = await start(path.join(here, 'peers', file), [String(port), body], {}, /ready/);
    return { name, port, process: child, tokensFile: sqlite.tokensFile };
  };
  const contestants = [
    await peer('bare node:http', 'bare.ts', 18_081),
    await peer('Fastify alone', 'fastify.ts', 18_082),
    sqlite,
    postgres,
  ];
  for (const contestant of contestants) load(contestant, 2);
  const results = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const contestant of contestants) results.get(contestant.name)?.push(load(contestant, SECONDS));
  }
  const bare = median(results.get('bare node:http')?.map(({ perSecond }) => perSecond) ?? []);
  const rows = contestants.map(({ name }) => {
    const rounds = results.get(name) ?? [];
    const perSecond = median(rounds.map((round) => round.perSecond));
    const bad = rounds.reduce((sum, round) => sum + round.bad, 0);
    return [
      name,
      number(perSecond),
      number(perSecond / bare, 2),
      `${number(median(rounds.map(({ p50 }) => p50)), 1)} ms`,
      `${number(median(rounds.map(({ p99 }) => p99)), 1)} ms`,
      String(bad),
    ];
  });

  const memory = [memoryAtStart, rss(sqlite.process)];
  for (let n = 0, served = 0; served < 200_000 && n < 100; n++) {
    served += load(sqlite, 5).perSecond * 5;
    memory.push(rss(sqlite.process));
  }
  for (const { process: child } of contestants) child.kill();
  return [
    `## \`GET /v0.1/user\`, ${number(TOKENS)} tokens in rotation, 64 connections`,
    `${ROUNDS} alternating rounds of ${SECONDS} s each, medians. Every server answers the same ${Buffer.byteLength(body)} bytes; Mooring logs each request and counts it against its rate limit.`,
    table(['server', 'requests/s', 'of bare', 'p50', 'p99', 'not 200'], rows),
    '## Memory of the server on SQLite',
    `After start ${number(memory[0] ?? 0)} MB; after the rounds above ${number(memory[1] ?? 0)} MB; then, over at least 200,000 further requests, measured every 5 s: ${memory
      .slice(2)
      .map((mb) => number(mb))
      .join(', ')} MB.`,
  ].join('\n\n');
}

async function compareLookups(postgres: { url(name: string): string }): Promise<string> {
  const rows: string[][] = [];
  for (const engine of ['SQLite', 'PostgreSQL']) {
    const costs: number[] = [];
    for (const count of [TOKENS, MANY]) {
      const name = `lookup_${count}`;
      if (engine === 'PostgreSQL') await runSql(postgres.url('postgres'), `CREATE DATABASE ${name}`);
      const location = engine === 'SQLite' ? at(`${name}.db`) : postgres.url(name);
      const sample = await seed(location, count, 20_000);
      if (engine === 'PostgreSQL') await runSql(location, 'VACUUM ANALYZE');
      costs.push(await lookupCost(location, sample, 5));
    }
    const [few = 0, many = 0] = costs;
    rows.push([engine, number(few, 1), number(many, 1), number(many / few, 2)]);
  }
  return [
    '## Looking up a token',
    'Microseconds for one look-up of a random token, SHA-256 and the join with its user included; 20,000 tokens a round, median of 5 rounds.',
    table(['database', '5,000 tokens', '5,000,000 tokens', 'ratio'], rows),
  ].join('\n\n');
}

const postgres = await startPostgres();
try {
  // Once for nothing, so that the server is compiled, as `npm start` leaves it.
  const warm = await startMooring('warm-up', undefined, at('warm-up'), []);
  warm.process.kill();

  await runSql(postgres.url('postgres'), 'CREATE DATABASE mooring');
  const parts: Parts = isQuick ? {} : readParts();
  if (only('servers')) parts.servers = await compareServers(postgres.url('mooring'));
  if (only('lookups') && !isQuick) parts.lookups = await compareLookups(postgres);
  const machine = `${process.arch}, ${cpus().length} cores (${cpus()[0]?.model.trim() || 'model not told'}), ${number(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  const report = `# Results\n\nWritten by \`npm run bench\`. Machine: ${machine}. Read the ratios: absolute figures change with the machine. Load generator and servers share its cores.\n\n${Object.values(parts).join('\n\n')}\n`;
  process.stdout.write(`\n${report}`);
  if (!isQuick) writeFileSync(path.join(here, 'results.md'), report);
} finally {
  for (const child of running) child.kill();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
