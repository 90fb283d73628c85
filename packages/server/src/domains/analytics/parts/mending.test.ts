import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { wireEvent as event, iso, wireLog as log, NOW, TODAY, withApps } from '../../../../test/harness/analytics.ts';
import type { TestApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/connection.ts';
import { DAY } from '../../../kernel/clock.ts';
import { tidyParts } from './compaction.ts';
import { keyOf } from './files.ts';
import { mendDay } from './mending.ts';
import { listParts } from './parts.ts';

const [ann, bob] = [randomUUID(), randomUUID()];

const folderOf = (app: TestApp): string => path.join(app.deps.config.dataDir, 'telemetry/files');
const copiesOf = (app: TestApp): string[] => readdirSync(folderOf(app)).map((name) => path.join(folderOf(app), name));
const blobsOf = async (app: TestApp): Promise<string[]> =>
  (await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.startsWith('analytics/')).sort();

/** Two devices that sent something yesterday and today, in several parts, some of it twice. */
async function withTelemetry(dialect: DialectName) {
  const { app, open } = await withApps(dialect);
  const opened = await open();
  const { send, compact, get, answer, ref } = opened;
  const twice = event('open', { sid: 's' });
  await send(ann, log('startSession', NOW, { sid: 's' }), twice, event('open', {}, NOW - DAY));
  await send(bob, event('secret', { userId: 'u' }), event('open'));
  await compact();
  await send(ann, twice, event('close'));
  await compact();
  const range = { start: iso(TODAY - 1), end: iso(TODAY) };
  const figures = async () => ({
    events: (await get('events', { ...range, $orderby: 'name' })).events.map(
      (each: { name: string; count: number; device_count: number }) => [each.name, each.count, each.device_count],
    ),
    devices: (await get('active_device_counts', range)).daily.map(({ count }: { count: number }) => count),
    sessions: (await get('session_counts', { ...range, interval: 'P1D' })).map(({ count }: { count: number }) => count),
  });
  const ctx = systemCtx(app.deps);
  /** Until all jobs are done, those that were in the way of others too. */
  const settle = async () => {
    for (let n = 0; n < 4; n += 1) {
      app.advance(20_000);
      await app.runJobs();
    }
  };
  return { ...opened, app, ctx, figures, settle, range, answer, id: ref.id };
}

const expected = {
  events: [
    ['close', 1, 1],
    ['open', 3, 2],
    ['secret', 1, 1],
  ],
  devices: [1, 2],
  sessions: [0, 1],
};

const spoil = (file: string) => {
  const bytes = readFileSync(file);
  // In the middle, where the file still looks like one.
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
};

eachDatabase('telemetry that is damaged', (dialect) => {
  test('on this machine only is copied again, whatever it looks like, and nobody notices', async () => {
    const { app, figures } = await withTelemetry(dialect);
    for (const [n, file] of copiesOf(app).entries()) {
      if (n % 3 === 0) writeFileSync(file, '');
      else if (n % 3 === 1) spoil(file);
      else rmSync(file);
    }
    // This process wrote them, and had no reason to doubt them: what cannot be read is looked at again.
    await figures().catch(() => undefined);
    expect(await figures()).toEqual(expected);
  });

  test('in the store is put back from the copy of this machine', async () => {
    const { app, ctx, id, figures } = await withTelemetry(dialect);
    const keys = await blobsOf(app);
    const before = await Promise.all(keys.map(async (key) => (await app.deps.blobs.stat(key))?.size));
    const [first = '', second = ''] = keys;
    await app.deps.blobs.delete(first);
    await app.deps.blobs.put(second, [Buffer.from('PAR1')], { type: 'text/plain', maxBytes: 10 });
    await mendDay(ctx, id, TODAY - 1);
    await mendDay(ctx, id, TODAY);
    expect(await Promise.all(keys.map(async (key) => (await app.deps.blobs.stat(key))?.size))).toEqual(before);
    expect(await figures()).toEqual(expected);
  });

  test.each(['logs', 'devices', 'sessions'] as const)(
    'or lost everywhere (%s) is made again without hands, and says so meanwhile; the counts are the same',
    async (kind) => {
      const { app, answer, range, figures, settle } = await withTelemetry(dialect);
      const isOfKind = (name: string) => name.includes(`.${kind}.`);
      for (const key of (await blobsOf(app)).filter(isOfKind)) await app.deps.blobs.delete(key);
      for (const file of copiesOf(app).filter(isOfKind)) rmSync(file);
      const asked =
        kind === 'sessions' ? 'sessions_per_device' : kind === 'devices' ? 'active_device_counts' : 'events';
      const { statusCode, json } = await answer(asked, { ...range, interval: 'P1D' });
      expect(statusCode).toBe(503);
      expect(json().error.message).toMatch(/2026-10-31 cannot be read: a file of it is missing or damaged/);
      await settle();
      expect(await figures()).toEqual(expected);
    },
  );

  test('holds up what comes for its day only until it is made again', async () => {
    const { app, send, figures, settle } = await withTelemetry(dialect);
    for (const key of await blobsOf(app)) await app.deps.blobs.delete(key);
    rmSync(folderOf(app), { recursive: true });
    await send(bob, event('late', {}, NOW - DAY), event('close'));
    await settle();
    expect(await figures()).toEqual({
      events: [['close', 2, 2], ['late', 1, 1], ...expected.events.slice(1)],
      devices: [2, 2],
      sessions: [0, 1],
    });
  });

  test('does not bring back what was deleted, nor does it when that comes again', async () => {
    const { app, call, compact, send, figures, get, settle } = await withTelemetry(dialect);
    const secret = event('secret');
    await send(bob, secret);
    await compact();
    expect((await call('DELETE', 'events/secret')).statusCode).toBe(200);
    expect((await call('DELETE', `installs/${ann}`)).statusCode).toBe(204);
    await settle();
    const left = { events: [['open', 1, 1]], devices: [0, 1], sessions: [0, 0] };
    expect(await figures()).toEqual(left);
    expect((await get('generic_log_flow')).logs.map((each: { event_name?: string }) => each.event_name)).toEqual([
      'open',
    ]);
    for (const key of await blobsOf(app)) await app.deps.blobs.delete(key);
    rmSync(folderOf(app), { recursive: true });
    await send(bob, secret);
    await settle();
    expect(await figures()).toEqual(left);
  });

  test('is said to be lost, with what to restore, once its batches are gone, and is read again when it is back', async () => {
    const { app, ctx, id, figures, answer, range, settle } = await withTelemetry(dialect);
    await settle();
    app.advance(DAY);
    await tidyParts(ctx);
    await app.database.transaction((db) => db.query((q) => q.deleteFrom('ingest_batches')));
    const [part] = await listParts(ctx, id, { from: TODAY, to: TODAY });
    const key = part ? keyOf(part, 'logs') : '';
    const blob = await app.deps.blobs.get(key);
    const content = blob ? await Array.fromAsync(blob.stream) : [];
    await app.deps.blobs.delete(key);
    rmSync(folderOf(app), { recursive: true });
    await expect(mendDay(ctx, id, TODAY)).rejects.toThrow(key);
    expect((await answer('events', { ...range, $top: '7' })).statusCode).toBe(503);
    await app.deps.blobs.put(key, content, { type: 'text/plain', maxBytes: 1e9 });
    expect(await figures()).toEqual(expected);
  });
});
