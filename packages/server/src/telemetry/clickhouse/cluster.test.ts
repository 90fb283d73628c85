import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RunningClickhouse } from '../../../test/harness/clickhouse.ts';
import { hasCluster, type RunningCluster, startCluster } from '../../../test/harness/clickhouse-cluster.ts';
import { createLog } from '../../kernel/log.ts';
import { createDuckdbEngine } from '../duckdb/index.ts';
import type { Part } from '../engine.ts';
import { nameOf } from './addresses.ts';
import { createClickhouseEngine } from './index.ts';
import { tableStatement } from './loading.ts';
import { TABLE } from './reading.ts';
import { ranked } from './rendezvous.ts';

const DAY = 20_400;
const asked = { ask: 'eventByDay', range: { from: DAY, to: DAY }, filter: {}, name: 'open' } as const;
/** A server of 2018 tries again after ten seconds to fetch what it could not. */
const caughtUp = { timeout: 45_000 };
const unavailable = { code: 'ServiceUnavailable' };
type Servers = readonly (readonly RunningClickhouse[])[];

const urlsOf = (shards: Servers): URL[][] => shards.map((replicas) => replicas.map(({ url }) => url));

/** The apps that a list of servers, or of shards by their first, is the first place of. */
function appFor(wanted: RunningClickhouse, among: readonly (RunningClickhouse | undefined)[], start = 0): string {
  const places = among.flatMap((server) => (server ? { name: nameOf(server.url) } : []));
  for (let at = start; ; at += 1) {
    if (ranked(places, `app ${at}`)[0]?.name === nameOf(wanted.url)) return `app ${at}`;
  }
}

/** A process of its own. */
function openProcess(shards: Servers, abandoned?: number) {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-cluster-test-'));
  const folder = path.join(root, 'files');
  mkdirSync(folder);
  const options = { memoryMb: 256, timeoutSeconds: 60, log: createLog('silent') };
  const duckdb = createDuckdbEngine({ ...options, folder: root, threads: 2 });
  const engine = createClickhouseEngine(duckdb, { ...options, shards: urlsOf(shards), abandoned });
  onTestFinished(async () => {
    await engine.close();
    rmSync(root, { recursive: true, force: true });
  });
  /** A part of an app, with so many events; the files of a process are its own, also those of a part that others have. */
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
  const count = async (...parts: Part[]) => (await engine.ask(asked, parts)).total.count;
  const troubles = async () =>
    (await engine.servers()).flatMap(({ name, trouble }) => (trouble === undefined ? [] : [name]));
  return { engine, write, count, troubles };
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
      await server.ask(`SELECT sum(rows) FROM system.parts
        WHERE table = '${TABLE}' AND active AND partition LIKE '%${part.id}%'`),
    );
  const rowsOf = (part: Part, servers: Servers = cluster.shards): Promise<number[][]> =>
    Promise.all(servers.map((replicas) => Promise.all(replicas.map((server) => rowsOn(server, part)))));
  /** All parts but one are still read, and of one app. */
  const without = (part: Part, appId: string) => async (held: readonly string[]) =>
    new Map(held.flatMap((id) => (id === part.id ? [] : [[id, appId]])));
  const allOf = (appId: string) => async (held: readonly string[]) => new Map(held.map((id) => [id, appId]));

  test('an app lies on one shard, on both of its replicas', async () => {
    const { write, count, engine, troubles } = openProcess(cluster.shards);
    const [here, there] = [appFor(of(one, 0), firsts()), appFor(of(two, 0), firsts())];
    const parts = [await write(here, 3), await write(there, 5)] as const;
    expect([await count(parts[0]), await count(parts[1])]).toEqual([3, 5]);
    await expect
      .poll(() => rowsOf(parts[0]))
      .toEqual([
        [3, 3],
        [0, 0],
      ]);
    await expect
      .poll(() => rowsOf(parts[1]))
      .toEqual([
        [0, 0],
        [5, 5],
      ]);
    expect(await engine.held(parts)).toEqual(new Set(parts.map(({ id }) => id)));
    expect(await troubles()).toEqual([]);
    await engine.check();
  });

  test('servers that copy nothing from one another are told, and still count right', async () => {
    const { write, count, troubles } = openProcess([[of(one, 0), of(two, 0)]]);
    expect(await count(await write('x', 3))).toBe(3);
    expect(await troubles()).toEqual([nameOf(of(two, 0).url)]);
  });

  test('what another replica has is not taken in a second time by one that lags', async () => {
    const [first, second] = [of(one, 0), of(one, 1)];
    const alone = openProcess([[first]]);
    const both = openProcess([[first, second]]);
    const appId = appFor(second, [first, second]);
    await both.count(await both.write(appId, 1));
    await second.ask(`SYSTEM STOP FETCHES ${TABLE}`);
    const part = await alone.write(appId, 4);
    expect(await alone.count(part)).toBe(4);
    expect(await both.count(part)).toBe(4);
    expect(await rowsOf(part, [[first, second]])).toEqual([[4, 0]]);
    await second.ask(`SYSTEM START FETCHES ${TABLE}`);
    expect(await both.count(part)).toBe(4);
  });

  test('rows that each replica has other ones of are waited for, and then taken in', async () => {
    const [first, second] = [of(one, 0), of(one, 1)];
    const both = openProcess([[first, second]]);
    for (const server of [first, second]) await server.ask(`SYSTEM STOP FETCHES ${TABLE}`);
    const [left, right] = [openProcess([[first]]), openProcess([[second]])];
    const parts = [await left.write('x', 3), await right.write('x', 4)] as const;
    expect([await left.count(parts[0]), await right.count(parts[1])]).toEqual([3, 4]);
    const copies = [await both.write('x', 3, parts[0]), await both.write('x', 4, parts[1])] as const;
    expect(await both.count(...copies)).toBe(7);
    for (const server of [first, second]) await server.ask(`SYSTEM START FETCHES ${TABLE}`);
    expect(await both.count(...copies)).toBe(7);
  });

  test('processes that take in the same part by different replicas count each log once', async () => {
    const [first, second] = [of(two, 0), of(two, 1)];
    const processes = [openProcess([[first]]), openProcess([[second]]), openProcess([[first, second]])] as const;
    const part = await processes[0].write('x', 3);
    const copies = await Promise.all(processes.map(({ write }) => write('x', 3, part)));
    const counts = () => Promise.all(processes.map(({ count }, at) => count(copies[at] ?? part)));
    expect(await counts()).toEqual([3, 3, 3]);
    await openProcess([[first, second]], -1).engine.drop(allOf('x'));
    await expect.poll(() => rowsOf(part, [[first, second]])).toEqual([[3, 3]]);
    expect(await counts()).toEqual([3, 3, 3]);
  });

  test('what is dropped is gone from both replicas', async () => {
    const [first, second] = [of(two, 0), of(two, 1)];
    const { write, count, engine } = openProcess([[first, second]]);
    const [kept, gone] = [await write('x', 1), await write('x', 2)];
    expect(await count(kept, gone)).toBe(3);
    await engine.drop(without(gone, 'x'));
    // One that was fetching it just then has it for a moment more, and its own queue says to drop it.
    await expect.poll(() => rowsOf(gone, [[first, second]])).toEqual([[0, 0]]);
    expect([await count(kept), await engine.held([kept, gone])]).toEqual([1, new Set([kept.id])]);
  });

  test('a replica that is killed takes no answer along; both of a shard take only their apps along', {
    timeout: 150_000,
  }, async () => {
    const { write, count, engine, troubles } = openProcess(cluster.shards);
    const [first, second] = [of(one, 0), of(one, 1)];
    const here = appFor(first, firsts());
    const other = await write(appFor(of(two, 0), firsts()), 2);
    const parts: Part[] = [];
    for (let size = 1; size <= 6; size += 1) parts.push(await write(here, size * 1000));
    const totals = parts.map((_, at) => ((at + 1) * (at + 2) * 1000) / 2);
    const asking = parts.map((_, at) => count(...parts.slice(0, at + 1)));
    await asking[0];
    await first.stop();
    expect(await Promise.all(asking)).toEqual(totals);
    expect(await Promise.all(parts.map((_, at) => count(...parts.slice(0, at + 1))))).toEqual(totals);
    expect(await troubles()).toEqual([nameOf(first.url)]);
    await engine.check();
    const late = await write(here, 5);
    expect(await count(...parts, late)).toBe(21_005);
    // What lies on a server that is away is not gone.
    const [gone = late] = parts;
    await expect(engine.drop(without(gone, here))).rejects.toMatchObject(unavailable);

    await second.stop();
    await expect(count(...parts)).rejects.toMatchObject(unavailable);
    await expect(engine.check()).rejects.toThrow(/does not answer.*; .*does not answer/);
    expect(await count(other)).toBe(2);

    await first.start();
    expect(await count(...parts, late)).toBe(21_005);
    await second.start();
    await expect.poll(troubles).toEqual([]);
    // What was taken in twice goes, and what one lacks it fetches.
    const tidy = openProcess([[first, second]], -1);
    const isDropped = () => tidy.engine.drop(without(gone, here)).then(() => true);
    await expect.poll(isDropped, caughtUp).toBe(true);
    expect(await rowsOf(gone, [[first, second]])).toEqual([[0, 0]]);
    const kept = [...parts.slice(1), late];
    const held = async () => (await Promise.all(kept.map((part) => rowsOf(part, [[first, second]])))).flat(2);
    await expect.poll(held, caughtUp).toEqual([2000, 3000, 4000, 5000, 6000, 5].flatMap((rows) => [rows, rows]));
    expect(await count(...kept)).toBe(20_005);
  });

  test('without its ZooKeeper it answers from what it has, and takes in nothing', async () => {
    const { write, count, troubles } = openProcess([two ?? []]);
    const [held, late] = [await write('x', 2), await write('x', 3)];
    expect(await count(held)).toBe(2);
    await cluster.zookeeper.stop();
    await expect.poll(troubles).toHaveLength(2);
    expect(await count(held)).toBe(2);
    await expect(count(held, late)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining('ZooKeeper'),
    });
    await cluster.zookeeper.start();
    await expect.poll(troubles).toEqual([]);
    expect(await count(held, late)).toBe(5);
  });

  test('a shard that is added takes its apps over, and the others let go of them', async () => {
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
    // Processes of before still ask the other; what was taken in lately stays for them.
    await openProcess(shards).engine.drop(whose);
    expect((await rowsOf(parts[1], old)).flat()).toContain(4);
    await after.engine.drop(whose);
    expect((await rowsOf(parts[1], shards)).flat()).toEqual([0, 0, 0, 0, 4]);
    expect((await rowsOf(parts[0], shards)).flat()).toEqual([3, 3, 0, 0, 0]);
    expect([await after.count(moved), await before.count(parts[1])]).toEqual([4, 4]);
  });

  test('a table of the time when its server was alone gives way to one that is copied', async () => {
    const servers = await cluster.addShard(2);
    await of(servers, 0).ask(tableStatement());
    const alone = openProcess([[of(servers, 0)]]);
    const part = await alone.write('x', 3);
    expect(await alone.count(part)).toBe(3);
    const { write, count } = openProcess([servers]);
    expect(await count(await write('x', 3, part))).toBe(3);
    await expect.poll(() => rowsOf(part, [servers])).toEqual([[3, 3]]);
    expect(await alone.count(part)).toBe(3);
  });
});
