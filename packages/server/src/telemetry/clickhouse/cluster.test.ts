import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RunningClickhouse } from '../../../test/harness/services/clickhouse.ts';
import { hasCluster, type RunningCluster, startCluster } from '../../../test/harness/services/clickhouse-cluster.ts';
import { createLog } from '../../kernel/log.ts';
import { createDuckdbEngine } from '../duckdb/index.ts';
import type { Part } from '../engine.ts';
import { getServerName } from './addresses.ts';
import { createClickhouseEngine } from './index.ts';
import { tableStatement } from './loading.ts';
import { TABLE } from './reading.ts';
import { ranked } from './rendezvous.ts';

const DAY = 20_400;
const query = { kind: 'eventByDay', range: { from: DAY, to: DAY }, filter: {}, name: 'open' } as const;
/** A server of 2018 retries a failed fetch after ten seconds. */
const caughtUp = { timeout: 45_000 };
const unavailable = { code: 'ServiceUnavailable' };
type Servers = readonly (readonly RunningClickhouse[])[];

const listUrls = (shards: Servers): URL[][] => shards.map((replicas) => replicas.map(({ url }) => url));

/** Apps whose first place is this list of servers, or of shards by their first server. */
function appFor(target: RunningClickhouse, among: readonly (RunningClickhouse | undefined)[], start = 0): string {
  const places = among.flatMap((server) => (server ? { name: getServerName(server.url) } : []));
  for (let at = start; ; at += 1) {
    if (ranked(places, `app ${at}`)[0]?.name === getServerName(target.url)) return `app ${at}`;
  }
}

/** A separate process. */
function openProcess(shards: Servers, abandoned?: number) {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-cluster-test-'));
  const folder = path.join(root, 'files');
  mkdirSync(folder);
  const options = { memoryMb: 256, timeoutSeconds: 60, log: createLog('silent') };
  const duckdb = createDuckdbEngine({ ...options, folder: root, threads: 2 });
  const engine = createClickhouseEngine(duckdb, { ...options, shards: listUrls(shards), abandoned });
  onTestFinished(async () => {
    await engine.close();
    rmSync(root, { recursive: true, force: true });
  });
  /** A part of an app, with this number of events. Processes have their own files, also for a part that others have. */
  async function write(appId: string, count: number, other?: Part): Promise<Part> {
    const logs = Array.from({ length: count }, (_, n) => ({
      at: DAY * 86_400_000 + n,
      value: { type: 'event', id: `${n}`, name: 'open' },
    }));
    const staged = await engine.stage([{ installId: 'one', logs }]);
    const written = await staged.write(DAY, [], folder);
    await staged.release();
    if (!written) throw new Error('no part was written');
    return { ...written.files, appId, ...(other ? { id: other.id } : {}) };
  }
  const count = async (...parts: Part[]) => (await engine.query(query, parts)).total.count;
  const listFailing = async () =>
    (await engine.servers()).flatMap(({ name, problem }) => (problem === undefined ? [] : [name]));
  return { engine, write, count, listFailing };
}

describe.runIf(hasCluster)('ClickHouse with shards and replicas', () => {
  let cluster: RunningCluster;
  let [one, two]: RunningClickhouse[][] = [];
  beforeAll(async () => {
    cluster = await startCluster(2);
    [one, two] = cluster.shards;
  });
  afterAll(() => cluster?.remove());

  const firsts = (shards: Servers = cluster.shards) => shards.map(([first]) => first);
  const of = (servers: readonly RunningClickhouse[] | undefined, at: number): RunningClickhouse => {
    const server = servers?.[at];
    if (!server) throw new Error('no such server');
    return server;
  };
  const rowsOn = async (server: RunningClickhouse, part: Part): Promise<number> =>
    Number(
      await server.query(`SELECT sum(rows) FROM system.parts
        WHERE table = '${TABLE}' AND active AND partition LIKE '%${part.id}%'`),
    );
  const countRowsByServer = (part: Part, servers: Servers = cluster.shards): Promise<number[][]> =>
    Promise.all(servers.map((replicas) => Promise.all(replicas.map((server) => rowsOn(server, part)))));
  /** All parts but one are still read, and belong to one app. */
  const without = (part: Part, appId: string) => async (held: readonly string[]) =>
    new Map(held.flatMap((id) => (id === part.id ? [] : [[id, appId]])));
  const assignAllTo = (appId: string) => async (held: readonly string[]) => new Map(held.map((id) => [id, appId]));

  test('stores an app on one shard, on both of its replicas', async () => {
    const { write, count, engine, listFailing } = openProcess(cluster.shards);
    const [here, there] = [appFor(of(one, 0), firsts()), appFor(of(two, 0), firsts())];
    const parts = [await write(here, 3), await write(there, 5)] as const;
    expect([await count(parts[0]), await count(parts[1])]).toEqual([3, 5]);
    await expect
      .poll(() => countRowsByServer(parts[0]))
      .toEqual([
        [3, 3],
        [0, 0],
      ]);
    await expect
      .poll(() => countRowsByServer(parts[1]))
      .toEqual([
        [0, 0],
        [5, 5],
      ]);
    expect(await engine.held(parts)).toEqual(new Set(parts.map(({ id }) => id)));
    expect(await listFailing()).toEqual([]);
    await engine.check();
  });

  test('reports servers that do not replicate from one another and still counts correctly', async () => {
    const { write, count, listFailing } = openProcess([[of(one, 0), of(two, 0)]]);
    expect(await count(await write('x', 3))).toBe(3);
    expect(await listFailing()).toEqual([getServerName(of(two, 0).url)]);
  });

  test('a lagging replica does not load parts that another replica has', async () => {
    const [first, second] = [of(one, 0), of(one, 1)];
    const alone = openProcess([[first]]);
    const both = openProcess([[first, second]]);
    const appId = appFor(second, [first, second]);
    await both.count(await both.write(appId, 1));
    await second.query(`SYSTEM STOP FETCHES ${TABLE}`);
    const part = await alone.write(appId, 4);
    expect(await alone.count(part)).toBe(4);
    expect(await both.count(part)).toBe(4);
    expect(await countRowsByServer(part, [[first, second]])).toEqual([[4, 0]]);
    await second.query(`SYSTEM START FETCHES ${TABLE}`);
    expect(await both.count(part)).toBe(4);
  });

  test('waits for a replica with partial rows, then loads the missing parts', async () => {
    const [first, second] = [of(one, 0), of(one, 1)];
    const both = openProcess([[first, second]]);
    for (const server of [first, second]) await server.query(`SYSTEM STOP FETCHES ${TABLE}`);
    const [left, right] = [openProcess([[first]]), openProcess([[second]])];
    const parts = [await left.write('x', 3), await right.write('x', 4)] as const;
    expect([await left.count(parts[0]), await right.count(parts[1])]).toEqual([3, 4]);
    const copies = [await both.write('x', 3, parts[0]), await both.write('x', 4, parts[1])] as const;
    expect(await both.count(...copies)).toBe(7);
    for (const server of [first, second]) await server.query(`SYSTEM START FETCHES ${TABLE}`);
    expect(await both.count(...copies)).toBe(7);
  });

  test('counts each log once if processes load the same part through different replicas', async () => {
    const [first, second] = [of(two, 0), of(two, 1)];
    const processes = [openProcess([[first]]), openProcess([[second]]), openProcess([[first, second]])] as const;
    const part = await processes[0].write('x', 3);
    const copies = await Promise.all(processes.map(({ write }) => write('x', 3, part)));
    const counts = () => Promise.all(processes.map(({ count }, at) => count(copies[at] ?? part)));
    expect(await counts()).toEqual([3, 3, 3]);
    await openProcess([[first, second]], -1).engine.drop(assignAllTo('x'));
    await expect.poll(() => countRowsByServer(part, [[first, second]])).toEqual([[3, 3]]);
    expect(await counts()).toEqual([3, 3, 3]);
  });

  test('drops parts from both replicas', async () => {
    const [first, second] = [of(two, 0), of(two, 1)];
    const { write, count, engine } = openProcess([[first, second]]);
    const [remaining, gone] = [await write('x', 1), await write('x', 2)];
    expect(await count(remaining, gone)).toBe(3);
    await engine.drop(without(gone, 'x'));
    // A replica that was just fetching it has it for a moment longer; its queue contains the drop.
    await expect.poll(() => countRowsByServer(gone, [[first, second]])).toEqual([[0, 0]]);
    expect([await count(remaining), await engine.held([remaining, gone])]).toEqual([1, new Set([remaining.id])]);
  });

  test('answers while one replica of a shard is down; a dead shard affects only its apps', {
    timeout: 150_000,
  }, async () => {
    const { write, count, engine, listFailing } = openProcess(cluster.shards);
    const [first, second] = [of(one, 0), of(one, 1)];
    const here = appFor(first, firsts());
    const other = await write(appFor(of(two, 0), firsts()), 2);
    const parts: Part[] = [];
    for (let size = 1; size <= 6; size += 1) parts.push(await write(here, size * 1000));
    const totals = parts.map((_, at) => ((at + 1) * (at + 2) * 1000) / 2);
    const counting = parts.map((_, at) => count(...parts.slice(0, at + 1)));
    await counting[0];
    await first.stop();
    expect(await Promise.all(counting)).toEqual(totals);
    expect(await Promise.all(parts.map((_, at) => count(...parts.slice(0, at + 1))))).toEqual(totals);
    expect(await listFailing()).toEqual([getServerName(first.url)]);
    await engine.check();
    const late = await write(here, 5);
    expect(await count(...parts, late)).toBe(21_005);
    // A server that is down has not dropped anything.
    const [gone = late] = parts;
    await expect(engine.drop(without(gone, here))).rejects.toMatchObject(unavailable);

    await second.stop();
    await expect(count(...parts)).rejects.toMatchObject(unavailable);
    await expect(engine.check()).rejects.toThrow(/does not respond.*; .*does not respond/);
    expect(await count(other)).toBe(2);

    await first.start();
    expect(await count(...parts, late)).toBe(21_005);
    await second.start();
    await expect.poll(listFailing).toEqual([]);
    // Duplicate loads are dropped, and missing rows fetched.
    const tidy = openProcess([[first, second]], -1);
    const isDropped = () => tidy.engine.drop(without(gone, here)).then(() => true);
    await expect.poll(isDropped, caughtUp).toBe(true);
    expect(await countRowsByServer(gone, [[first, second]])).toEqual([[0, 0]]);
    const remaining = [...parts.slice(1), late];
    const held = async () =>
      (await Promise.all(remaining.map((part) => countRowsByServer(part, [[first, second]])))).flat(2);
    await expect.poll(held, caughtUp).toEqual([2000, 3000, 4000, 5000, 6000, 5].flatMap((rows) => [rows, rows]));
    expect(await count(...remaining)).toBe(20_005);
  });

  test('answers from loaded parts without ZooKeeper and loads nothing', async () => {
    const { write, count, listFailing } = openProcess([two ?? []]);
    const [held, late] = [await write('x', 2), await write('x', 3)];
    expect(await count(held)).toBe(2);
    await cluster.zookeeper.stop();
    await expect.poll(listFailing).toHaveLength(2);
    expect(await count(held)).toBe(2);
    await expect(count(held, late)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining('ZooKeeper'),
    });
    await cluster.zookeeper.start();
    await expect.poll(listFailing).toEqual([]);
    expect(await count(held, late)).toBe(5);
  });

  test('moves the apps of a new shard there, and the other shards drop them', async () => {
    const before = openProcess(cluster.shards);
    const old = cluster.shards.slice();
    const [added] = await cluster.addShard(1);
    if (!added) throw new Error('no server was started');
    const shards = [...old, [added]];
    const stays = appFor(of(one, 0), firsts(shards));
    const moves = appFor(added, firsts(shards));
    const parts = [await before.write(stays, 3), await before.write(moves, 4)] as const;
    const whose = async (held: readonly string[]) =>
      new Map(held.map((id) => [id, id === parts[1].id ? moves : id === parts[0].id ? stays : '']));
    expect([await before.count(parts[0]), await before.count(parts[1])]).toEqual([3, 4]);
    const after = openProcess(shards, -1);
    const moved = await after.write(moves, 4, parts[1]);
    expect([await after.count(parts[0]), await after.count(moved)]).toEqual([3, 4]);
    expect(await rowsOn(added, parts[1])).toBe(4);
    // Older processes still query the other shard, which keeps recently loaded parts for them.
    await openProcess(shards).engine.drop(whose);
    expect((await countRowsByServer(parts[1], old)).flat()).toContain(4);
    await after.engine.drop(whose);
    expect((await countRowsByServer(parts[1], shards)).flat()).toEqual([0, 0, 0, 0, 4]);
    expect((await countRowsByServer(parts[0], shards)).flat()).toEqual([3, 3, 0, 0, 0]);
    expect([await after.count(moved), await before.count(parts[1])]).toEqual([4, 4]);
  });

  test('replaces the table of a single server with a replicated one', async () => {
    const servers = await cluster.addShard(2);
    await of(servers, 0).query(tableStatement());
    const alone = openProcess([[of(servers, 0)]]);
    const part = await alone.write('x', 3);
    expect(await alone.count(part)).toBe(3);
    const { write, count } = openProcess([servers]);
    expect(await count(await write('x', 3, part))).toBe(3);
    await expect.poll(() => countRowsByServer(part, [servers])).toEqual([[3, 3]]);
    expect(await alone.count(part)).toBe(3);
  });
});
