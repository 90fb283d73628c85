import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  clickhousePassword,
  hasClickhouse,
  type RunningClickhouse,
  startClickhouse,
} from '../../../test/harness/services/clickhouse.ts';
import { createLog } from '../../kernel/log.ts';
import { createDuckdbEngine } from '../duckdb/index.ts';
import type { Part } from '../engine.ts';
import { createClient } from './client.ts';
import { createClickhouseEngine } from './index.ts';
import { createInventory } from './inventory.ts';
import { tableStatement } from './loading.ts';
import { quoted, TABLE } from './reading.ts';

const DAY = 20_400;
const range = { from: DAY, to: DAY };
const query = { kind: 'eventByDay', range, filter: {}, name: 'open' } as const;
const away = { code: 'ServiceUnavailable', message: expect.stringContaining('is unavailable') };

const allRead = async (held: readonly string[]) => new Map(held.map((id) => [id, '']));

/** A log of a process, and its own engine. */
function openEngine(url: URL, abandoned?: number) {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-clickhouse-test-'));
  const folder = path.join(root, 'files');
  mkdirSync(folder);
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const options = { memoryMb: 256, timeoutSeconds: 60, log };
  const duckdb = createDuckdbEngine({ ...options, folder: root, threads: 2 });
  const engine = createClickhouseEngine(duckdb, { ...options, shards: [[url]], abandoned });
  onTestFinished(async () => {
    await engine.close();
    rmSync(root, { recursive: true, force: true });
  });
  /** A part with this number of events. */
  async function write(count = 3): Promise<Part> {
    const logs = Array.from({ length: count }, (_, n) => ({
      at: DAY * 86_400_000 + n,
      value: { type: 'event', id: `${n}`, name: 'open' },
    }));
    const staged = await engine.stage([{ installId: 'one', logs }]);
    const written = await staged.write(DAY, [], folder);
    await staged.release();
    if (!written) throw new Error('no part was written');
    return written.files;
  }
  const count = async (...parts: Part[]) => (await engine.query(query, parts)).total.count;
  return { engine, write, count, lines };
}

describe.runIf(hasClickhouse)('ClickHouse', () => {
  let server: RunningClickhouse;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.remove());

  const partitions = async (id: string) =>
    Number(
      await server.query(`SELECT uniqExact(partition) FROM system.parts
        WHERE table = '${TABLE}' AND active AND partition LIKE '%${id}%'`),
    );
  const countRows = async (id: string) =>
    Number(await server.query(`SELECT count() FROM ${TABLE} WHERE part = '${id}'`));

  test('escapes any text', async () => {
    const odd = [
      "'",
      '\\',
      "\\'",
      "'; DROP TABLE x; --",
      '\0',
      'a\0b',
      '\n\r\t\b\f\v',
      '\\n',
      '\\0',
      '{}',
      'größe 😀',
      '`"?',
      '',
    ];
    for (const text of odd) {
      expect(await server.query(`SELECT hex(${quoted(text)})`)).toBe(
        `${Buffer.from(text).toString('hex').toUpperCase()}\n`,
      );
    }
  });

  test('counts a part that several processes load concurrently once', async () => {
    const [one, other] = [openEngine(server.url), openEngine(server.url)];
    const part = await one.write();
    // Each process has its own folder with copies of the files.
    const copy = { ...(await other.write()), id: part.id };
    expect(
      await Promise.all([one.count(part), one.count(part), other.count(copy), other.count(copy), one.count(part)]),
    ).toEqual([3, 3, 3, 3, 3]);
    await openEngine(server.url, -1).engine.drop(allRead);
    expect(await partitions(part.id)).toBe(1);
    expect([await one.count(part), await other.count(copy), await countRows(part.id)]).toEqual([3, 3, 3]);
  });

  test('never reads a partial load of a killed process, and removes it', async () => {
    const { write, count, engine } = openEngine(server.url);
    const part = await write();
    await server.query(tableStatement());
    const half = `INSERT INTO ${TABLE} (part, load, total, type, ts, name) VALUES ('${part.id}', 7, 3, 'event', ${DAY * 86_400_000}, 'open')`;
    await server.query(half);
    expect(await count(part)).toBe(3);
    expect(await countRows(part.id)).toBe(4);
    // Another process may still be finishing it.
    await engine.drop(allRead);
    expect(await countRows(part.id)).toBe(4);
    await openEngine(server.url, -1).engine.drop(allRead);
    expect([await countRows(part.id), await count(part)]).toEqual([3, 3]);
  });

  test('counts each log once after a restart during a load', async () => {
    const { write, count } = openEngine(server.url);
    const part = await write(30_000);
    const first = count(part).catch((error: unknown) => error);
    await server.stop();
    const answer = await first;
    if (answer !== 30_000) expect(answer).toMatchObject(away);
    await expect(count(part)).rejects.toMatchObject(away);
    await server.start();
    expect(await count(part)).toBe(30_000);
  });

  test('reloads lost parts', async () => {
    const { write, count, engine } = openEngine(server.url);
    const parts = [await write(1), await write(2)];
    expect(await count(...parts)).toBe(3);
    expect(await engine.held(parts)).toEqual(new Set(parts.map(({ id }) => id)));
    await server.query(
      `ALTER TABLE ${TABLE} DROP PARTITION ID '${(
        await server.query(`SELECT partition_id FROM system.parts
      WHERE table = '${TABLE}' AND active AND partition LIKE '%${parts[0]?.id}%' LIMIT 1`)
      ).trim()}'`,
    );
    expect(await count(...parts)).toBe(3);
    await server.query(`DROP TABLE ${TABLE}`);
    expect(await count(...parts)).toBe(3);
    await server.query(`DROP TABLE ${TABLE}`);
    expect(await count()).toBe(0);
  });

  test('distinguishes merged parts from parts that were missing for a while', async () => {
    const client = createClient({ url: server.url, memoryMb: 256, timeoutSeconds: 60, log: createLog('silent') });
    onTestFinished(() => client.close());
    const inventory = createInventory(client);
    const part = randomUUID();
    const partition = `('${part}',7,2)`;
    const insert = (ts: number) => `INSERT INTO ${TABLE} (part, load, total, ts) VALUES ('${part}', 7, 2, ${ts})`;
    for (const statement of [tableStatement(), insert(1), insert(2)]) await server.query(statement);
    const found = await inventory.find([part]);
    expect(found).toEqual(new Map([[part, 7]]));
    await server.query(`OPTIMIZE TABLE ${TABLE} PARTITION ${partition} FINAL`);
    expect(await inventory.isThere(found)).toBe(true);
    await server.query(`ALTER TABLE ${TABLE} DETACH PARTITION ${partition}`);
    await server.query(`ALTER TABLE ${TABLE} ATTACH PARTITION ${partition}`);
    expect(await countRows(part)).toBe(2);
    expect(await inventory.isThere(found)).toBe(false);
    const again = await inventory.find([part]);
    expect([again, await inventory.isThere(again)]).toEqual([found, true]);
  });

  test('drops unused parts and keeps the others', async () => {
    const { write, count, engine } = openEngine(server.url);
    const [remaining, gone] = [await write(1), await write(2)];
    await count(remaining, gone);
    await engine.drop(async (held) => {
      expect(held).toEqual(expect.arrayContaining([remaining.id, gone.id]));
      return new Map(held.flatMap((id) => (id === gone.id ? [] : [[id, '']])));
    });
    expect([await countRows(gone.id), await countRows(remaining.id)]).toEqual([0, 1]);
    expect(await engine.held([remaining, gone])).toEqual(new Set([remaining.id]));
  });

  test('loads large parts before the first query', async () => {
    const { write, engine } = openEngine(server.url);
    const part = await write();
    engine.prepare?.([part]);
    await expect.poll(() => countRows(part.id)).toBe(3);
  });

  test('a corrupt part file is an error, and the next query works', async () => {
    const { write, count, lines } = openEngine(server.url);
    const part = await write();
    await expect(count({ ...part, id: randomUUID(), logs: `${part.logs}x` })).rejects.toThrow(/No files found/);
    expect(await count(part)).toBe(3);
    expect(lines).toEqual([]);
  });

  test('reports time and memory limits, and the next query works', async () => {
    const log = createLog('silent');
    const hasty = createClient({ url: server.url, memoryMb: 256, timeoutSeconds: 1, log });
    const small = createClient({ url: server.url, memoryMb: 1, timeoutSeconds: 60, log });
    onTestFinished(() => {
      hasty.close();
      small.close();
    });
    await expect(hasty.rows('SELECT count() FROM system.numbers')).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: expect.stringContaining('took too long'),
    });
    await expect(small.rows('SELECT groupArray(number) FROM numbers(10000000)')).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: expect.stringContaining('too much memory'),
    });
    expect(await hasty.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(hasty.rows('SELECT nothing')).rejects.toThrow(/nothing/);
  });

  test('sends the password and never prints it', async () => {
    const { count, lines, engine } = openEngine(new URL(server.url.href.replace('mooring:', 'nobody:')));
    await expect(count()).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: expect.stringContaining('refused'),
    });
    const failure = await engine.check().catch((error: Error) => error);
    expect(String(failure)).toMatch(/does not respond: .*nobody/);
    const text = `${lines.join('')}${failure}`;
    expect(text).toContain('ClickHouse refused a request');
    for (const secret of [clickhousePassword, encodeURIComponent(clickhousePassword)]) {
      expect(text).not.toContain(secret);
    }
  });
});

test('distinguishes an unreachable or foreign server from a result', async () => {
  const nowhere = openEngine(new URL('http://ann:hidden@127.0.0.1:1/'));
  await expect(nowhere.count()).rejects.toMatchObject(away);
  expect(nowhere.lines.join('')).toContain('ECONNREFUSED');
  expect(nowhere.lines.join('')).not.toContain('hidden');
  const other = createServer((_request, response) => response.writeHead(404).end('nothing here')).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((listening) => other.once('listening', listening));
  onTestFinished(() => void other.close());
  const wrong = openEngine(new URL(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`));
  await expect(wrong.count()).rejects.toMatchObject({
    code: 'ServiceUnavailable',
    message: expect.stringContaining('refused'),
  });
  expect(wrong.lines.join('')).toContain('nothing here');
});
