import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, runSql, startPostgres } from '../test-support/postgres.ts';
import { serverFlags } from '../tools/setup.mjs';

const here = import.meta.dirname;

/** A goal, and the measured value. */
export interface Goal {
  what: string;
  aim: { atLeast: number } | { atMost: number };
  measured: number;
  /** The unit of both values, such as ` ms`. */
  unit?: string;
  digits?: number;
}

/** The tools of a part of the benchmark; everything is removed when the run ends. */
export interface Bench {
  /** Few and short rounds, for a quick check. */
  isQuick: boolean;
  at(name: string): string;
  /** The URL of a new, empty PostgreSQL database. */
  postgresDatabase(name: string): Promise<string>;
  startMooring(name: string, options: MooringOptions): Promise<Contestant>;
  /** A server that sends the same body to all clients: `bare` node:http or `fastify`. */
  startPeer(name: string, peer: 'bare' | 'fastify', body: string): Promise<Contestant>;
  /** Any server that is started with a port and a file, and reports when it is ready. */
  startScript(name: string, script: string, file: string): Promise<Contestant>;
  /** Records a goal and its measured value, for the table of goals. */
  goal(goal: Goal): void;
  /** Returns the goals that were recorded since the last call. */
  takeGoals(): Goal[];
  close(): Promise<void>;
}

export interface MooringOptions {
  /** PostgreSQL; without it SQLite in the data folder. */
  databaseUrl?: string;
  dataDir: string;
  env?: Record<string, string>;
}

export interface Contestant {
  name: string;
  port: number;
  process: ChildProcess;
}

export interface Measured {
  perSecond: number;
  bad: number;
  /** The size of a response. */
  bytes: number;
  /** All responses, including those that were in transfer at the end. */
  bytesPerSecond: number;
  p50: number;
  p99: number;
}

export async function openBench(isQuick: boolean): Promise<Bench> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-bench-'));
  const at = (name: string) => path.join(folder, name);
  const running: ChildProcess[] = [];
  let postgres: PostgresServer | undefined;
  let nextPort = 18_081;
  let goals: Goal[] = [];

  /** Output goes to a file, as in production: a pipe without a reader would fill up. */
  async function start(args: string[], env: Record<string, string>, ready: RegExp) {
    const output = at(`output-${running.length}`);
    const child = spawn(process.execPath, args, {
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
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} exited:\n${readFileSync(output, 'utf8')}`);
      await sleep(50);
    }
    return { child, printed: readFileSync(output, 'utf8') };
  }

  async function startScript(name: string, script: string, file: string): Promise<Contestant> {
    const port = nextPort++;
    const { child } = await start([script, String(port), file], {}, /ready/);
    return { name, port, process: child };
  }

  return {
    isQuick,
    at,
    async postgresDatabase(name) {
      postgres ??= await startPostgres();
      await runSql(postgres.url('postgres'), `CREATE DATABASE ${name}`);
      return postgres.url(name);
    },
    async startMooring(name, { databaseUrl, dataDir, env = {} }) {
      mkdirSync(dataDir, { recursive: true });
      const settings = {
        MOORING_HTTP_PORT: '0',
        MOORING_HTTPS_PORT: '0',
        MOORING_DATA_DIR: dataDir,
        MOORING_RATE_LIMIT: '1000000000',
        MOORING_ADMIN_EMAIL: 'admin@example.com',
        MOORING_ADMIN_PASSWORD: 'correct horse battery',
        ...(databaseUrl ? { MOORING_DATABASE_URL: databaseUrl } : {}),
        ...env,
      };
      const main = path.join(here, '../packages/server/src/main.ts');
      const { child, printed } = await start([...serverFlags, main], settings, /Sign in/);
      return { name, port: Number(/Console\s+http:\/\/localhost:(\d+)/.exec(printed)?.[1]), process: child };
    },
    startPeer(name, peer, body) {
      const file = at(`body-${nextPort}`);
      writeFileSync(file, body);
      return startScript(name, path.join(here, 'peers', `${peer}.ts`), file);
    },
    startScript,
    goal: (goal) => void goals.push(goal),
    takeGoals() {
      const taken = goals;
      goals = [];
      return taken;
    },
    async close() {
      for (const child of running) child.kill();
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Load {
  path: string;
  /** One token per line, used in rotation; `-` for none. */
  tokensFile: string;
  /** Header lines to send instead of a token. */
  headers?: string;
  seconds: number;
  /** Default: 64. */
  connections?: number;
}

export function loadArguments({ port }: Contestant, options: Load): string[] {
  const { path: url, tokensFile, seconds, connections = 64, headers = '' } = options;
  const numbers = [String(connections), String(seconds)];
  return [path.join(here, 'load/load.ts'), String(port), url, tokensFile, ...numbers, headers];
}

export const load = (contestant: Contestant, options: Load): Measured =>
  JSON.parse(execFileSync(process.execPath, loadArguments(contestant, options), { encoding: 'utf8' }));

export interface Contest {
  contestants: Contestant[];
  rounds: number;
  getLoad(contestant: Contestant): Load;
}

/**
 * Alternating rounds, after one for warming up; returns the rows of a table, with the first contestant as reference.
 */
export function compete({ contestants, rounds, getLoad }: Contest): { rows: string[][]; median: Map<string, number> } {
  for (const contestant of contestants) load(contestant, { ...getLoad(contestant), seconds: 2 });
  const results = new Map<Contestant, Measured[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) results.get(contestant)?.push(load(contestant, getLoad(contestant)));
  }
  const getMedian = (contestant: Contestant | undefined, of: (measured: Measured) => number) =>
    median((contestant && results.get(contestant)?.map(of)) ?? []);
  const best = getMedian(contestants[0], ({ perSecond }) => perSecond);
  const rows = contestants.map((contestant) => {
    const perSecond = getMedian(contestant, (measured) => measured.perSecond);
    const bad = results.get(contestant)?.reduce((sum, measured) => sum + measured.bad, 0);
    return [
      contestant.name,
      number(perSecond),
      number(perSecond / best, 2),
      `${number(
        getMedian(contestant, ({ p50 }) => p50),
        1,
      )} ms`,
      `${number(
        getMedian(contestant, ({ p99 }) => p99),
        1,
      )} ms`,
      String(bad),
    ];
  });
  const entries = contestants.map(
    (contestant) => [contestant.name, getMedian(contestant, (measured) => measured.perSecond)] as const,
  );
  return { rows, median: new Map(entries) };
}

/** The result of a contestant compared to the first one. */
export const getRatio = ({ median }: { median: Map<string, number> }, name: string): number =>
  (median.get(name) ?? Number.NaN) / ([...median.values()][0] ?? Number.NaN);

export const contestHead = ['server', 'requests/s', 'of bare', 'p50', 'p99', 'not 200'];

const getStatus = (pid: number | undefined, field: 'RssAnon' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/**
 * The current memory of a process in MB, and its peak. Cached pages of files, such as SQLite's, belong to the system,
 * which reclaims them if needed; they count only in the peak, because Linux reports no other.
 */
export const rss = (child: ChildProcess): number => getResidentMemory(child.pid ?? 0);
export const getResidentMemory = (pid: number): number => getStatus(pid, 'RssAnon');
export const peakRss = (pid: number | undefined): number => getStatus(pid, 'VmHWM');
/** Resets the peak. */
export const resetPeak = (pid: number | undefined): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** CPU time of a process since its start. Linux counts it in hundredths of a second. */
export function processorSeconds(pid: number): number {
  const [, , , , , , , , , , , user = 0, system = 0] = (
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
  ).split(' ');
  return (Number(user) + Number(system)) / 100;
}

export const listChildren = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);

export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
