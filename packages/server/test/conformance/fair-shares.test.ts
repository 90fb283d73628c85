import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { WriteReceived } from '../../src/domains/ingest/intake/batch-writing.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { SentBytes } from '../../src/kernel/files/inflate.ts';
import { createLog } from '../../src/kernel/log.ts';
import { testApp } from '../harness/app.ts';

/** Every fair pool in this file reports its queue and its starts. Work does nothing, and ends when the test ends it. */
const observed = vi.hoisted(() => ({ queued: [] as string[], started: [] as string[], ends: [] as (() => void)[] }));

vi.mock('../../src/kernel/concurrency/fair-pool.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/kernel/concurrency/fair-pool.ts')>();
  const createFairPool: typeof original.createFairPool = (options) => {
    const pool = original.createFairPool(options);
    return (owner, _work, run) => {
      observed.queued.push(owner);
      return pool(
        owner,
        () => {
          observed.started.push(owner);
          return new Promise((_resolve, reject) => void observed.ends.push(() => reject(new Error('ended'))));
        },
        run,
      );
    };
  };
  return { ...original, createFairPool };
});

// Loads separate module instances with the pools above, which are not shared with other files.
vi.resetModules();
afterAll(() => void vi.resetModules());

const { readHeads, withCommits } = await import('../../src/domains/builds/repositories/git.ts');
const { diffPackages, readUploaded } = await import('../../src/domains/codepush/packages/packages.ts');
const { queryParts } = await import('../../src/domains/analytics/parts/reading.ts');
const { importHistory } = await import('../../src/domains/exports/history.ts');
const { drawPicture } = await import('../../src/domains/feedback/pictures.ts');
const { createPageCache } = await import('../../src/domains/health/pages/page-cache.ts');
const { createLogQueue } = await import('../../src/domains/ingest/intake/log-queue.ts');
const { createIntake } = await import('../../src/domains/ingest/intake/intake.ts');
const { readPackage } = await import('../../src/domains/releases/uploads/package-reading.ts');
const { read } = await import('../../src/domains/symbols/reading.ts');
const { demangle } = await import('../../src/domains/symbols/native-symbols.ts');
const { workOnResults } = await import('../../src/domains/device-tests/results/results-reading.ts');
const { hashPassword, verifyPassword } = await import('../../src/kernel/crypto/crypto.ts');
const { inflate } = await import('../../src/kernel/files/inflate.ts');
const { createDuckdbEngine } = await import('../../src/telemetry/duckdb/index.ts');
const { createShard } = await import('../../src/telemetry/clickhouse/shard.ts');
const { createWorkers } = await import('../../src/workers/index.ts');
const { superviseProgram } = await import('../../src/workers/programs.ts');

const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-shares-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const log = createLog('silent');
const workers = createWorkers(log);
const node = { name: 'node', commands: [path.basename(process.execPath)], args: [], memoryMb: 100, limitMs: 1000 };
const program = superviseProgram(node, log, path.dirname(process.execPath));
const duckdb = createDuckdbEngine({
  folder: path.join(dataDir, 'duckdb'),
  memoryMb: 100,
  threads: 1,
  timeoutSeconds: 1,
  log,
});
const shard = createShard({ urls: [new URL('http://127.0.0.1:1/a')], duckdb, timeoutSeconds: 1, log } as never);
const question = { kind: 'eventByDay', range: { from: 0, to: 0 }, filter: {}, name: 'e' } as const;
const pages = createPageCache(async () => 1);

/** A context of an operation of an app, with only what the pools use. */
const contextFor = (owner: string, app = owner) =>
  ({ app: { id: app, ownerId: owner }, config: { dataDir }, log, clock: systemClock, workers }) as never;
const large = Buffer.alloc(400_000, ' ');
const sent = (encoding: SentBytes['encoding']): SentBytes => ({
  encoding,
  bytes: encoding === 'gzip' ? gzipSync(large) : large,
  maxInflated: 1_000_000,
});
const remote = { url: 'http://127.0.0.1:1/a.git' };
const commits = { shas: ['a'], filter: 'blob:none' } as const;

const oneFile = { get: async () => ({ type: 'image/png', stream: Readable.from([Buffer.from('png')]) }) };

/** Work of an owner in every pool that tenants share; `n` distinguishes its items. */
const pools: Record<string, (owner: string, n: number) => Promise<unknown>> = {
  'branches of repositories': (owner) => readHeads(contextFor(owner), remote),
  'files of repositories': (owner) => withCommits(contextFor(owner), remote, commits, async () => 1),
  'packages of releases': (owner) =>
    readPackage(contextFor(owner), { name: 'a.apk', key: 'k' } as never, { os: 'Android', requested: {} as never }),
  'packages of CodePush': (owner, n) => readUploaded(contextFor(owner), `${owner} ${n}`),
  'diffs of CodePush': (owner) => diffPackages(contextFor(owner), {} as never),
  'pictures of feedback': (owner, n) =>
    drawPicture({ ...(contextFor(owner) as object), blobs: oneFile } as never, `${owner} ${n}`),
  'uploaded symbols': (owner, n) => read(contextFor(owner), 'collect', { file: `${owner} ${n}` } as never),
  'symbols of crashes': (owner, n) =>
    read(contextFor(owner), 'map', { file: `${owner} ${n}`, frames: [], maxChars: 1000 }),
  'programs that symbolicate': (owner, n) =>
    demangle({ ...(contextFor(owner) as object), workers: { program: () => program } } as never, [
      [{ method: `$s${owner}${n}` } as never],
    ]),
  'test results': (owner) => workOnResults(contextFor(owner), 'readImport', { xml: 'x'.repeat(100_000), at: 0 }),
  'imported history': (owner) => importHistory(contextFor(owner), sent('identity')),
  'inflated bodies': (owner) => inflate(sent('gzip'), owner),
  'questions to DuckDB': (owner) => duckdb.query(question, [], owner),
  'questions to ClickHouse': (owner) => shard.query(question, [], owner),
  'questions about many apps of one owner': (owner, n) =>
    queryParts({ ...(contextFor(owner, `${owner} ${n}`) as object), telemetry: duckdb } as never, [], question),
  'pages of health events': (owner, n) => pages(`${owner} ${n}`, owner, async () => 'page'),
  'new passwords': (owner) => hashPassword('a password', owner),
  'checked passwords': (owner) => verifyPassword('a password', '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAA', owner),
};

const BACKLOG = 8;

/** Number of work items of an owner with a backlog that end before the only item of another owner starts. */
async function countEndedBefore(start: (owner: string, n: number) => Promise<unknown>): Promise<number> {
  const items = Array.from({ length: BACKLOG }, (_, n) => start('hostile', n));
  items.push(start('honest', 0));
  for (const item of items) item.catch(() => undefined);
  await vi.waitUntil(() => observed.queued.length === BACKLOG + 1, { timeout: 20_000, interval: 5 });
  let ended = 0;
  for (; !observed.started.includes('honest') && ended < observed.ends.length; ended += 1) {
    observed.ends[ended]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let at = ended; at < BACKLOG + 1; at += 1) {
    observed.ends[at]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.allSettled(items);
  return ended;
}

beforeEach(() => {
  for (const list of Object.values(observed)) list.length = 0;
});

/** A running one, one whose turn comes first, and its own: three times as long as on an idle server. */
const MAX_ENDED_BEFORE = 2;

test.each(Object.entries(pools))('%s: a backlog of one owner does not delay another owner', async (_name, start) => {
  expect(await countEndedBefore(start)).toBeLessThanOrEqual(MAX_ENDED_BEFORE);
});

test('large bodies of logs: a backlog of one app does not delay another app', async () => {
  const app = await testApp('sqlite');
  const take = createIntake(app.deps);
  const start = (appId: string) => take({ appId, sent: sent('gzip'), installId: undefined } as never);
  expect(await countEndedBefore(start)).toBeLessThanOrEqual(MAX_ENDED_BEFORE);
});

test('queued logs: a backlog of one app does not delay another app', async () => {
  const groups: string[][] = [];
  const write: WriteReceived = async (_deps, received) => void groups.push(received.map(({ appId }) => appId));
  const { add } = createLogQueue({ config: { ingestQueueMb: 64 } } as never, write);
  const all = Array.from({ length: 5000 }, () => add({ appId: 'hostile' } as never));
  all.push(add({ appId: 'honest' } as never));
  await Promise.all(all);
  expect(groups.length).toBeGreaterThan(5);
  expect(groups.findIndex((group) => group.includes('honest'))).toBeLessThanOrEqual(1);
  expect(groups.flat()).toHaveLength(5001);
});

const source = path.join(import.meta.dirname, '../../src');
const filesWith = (text: string): string[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => readFileSync(path.join(source, file), 'utf8').includes(text))
    .sort();

test('this file knows every pool of the server', () => {
  expect(filesWith('= createFairPool(')).toEqual([
    'domains/builds/repositories/git.ts',
    'domains/codepush/packages/packages.ts',
    'domains/feedback/pictures.ts',
    'domains/health/pages/page-cache.ts',
    'domains/ingest/intake/intake.ts',
    'domains/releases/uploads/package-reading.ts',
    'kernel/crypto/crypto.ts',
    'kernel/files/inflate.ts',
    'telemetry/clickhouse/shard.ts',
    'telemetry/duckdb/index.ts',
    'workers/crew.ts',
  ]);
  expect(filesWith('= defineProcess<')).toEqual([
    'domains/device-tests/results/results-reading.ts',
    'domains/exports/history.ts',
    'domains/symbols/reading.ts',
  ]);
  expect(filesWith('= defineProgram(')).toEqual(['workers/symbolizers.ts']);
  // Only jobs write, with owners taking turns (`job-shares.test.ts`): emails, exports, tickets, webhooks, data from
  // devices.
  expect(filesWith('= createSemaphore(')).toEqual(['telemetry/clickhouse/shard.ts', 'telemetry/duckdb/index.ts']);
});
