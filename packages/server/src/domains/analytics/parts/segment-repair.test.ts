import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { wireEvent as event, iso, wireLog as log, NOW, TODAY, withApps } from '../../../../test/harness/analytics.ts';
import type { TestApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { tidyParts } from './compaction.ts';
import { toBlobKey } from './files.ts';
import { listParts } from './parts.ts';
import { formerDayRebuild } from './reading.ts';
import { rebuildDay } from './segment-repair.ts';

const [ann, bob] = [randomUUID(), randomUUID()];

const getFolder = (app: TestApp): string => path.join(app.deps.config.dataDir, 'telemetry/files');
const listCopies = (app: TestApp): string[] =>
  readdirSync(getFolder(app)).map((name) => path.join(getFolder(app), name));
const listBlobs = async (app: TestApp): Promise<string[]> =>
  (await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.startsWith('analytics/')).sort();

/** Two devices that sent logs yesterday and today, in several segments, some logs twice. */
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
  /** Repeats until jobs that had to wait for others have run too. */
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
  // In the middle, so that the file keeps its format.
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
};

eachDatabase('damaged telemetry', (dialect) => {
  test('on this machine is copied again without affecting queries', async () => {
    const { app, figures } = await withTelemetry(dialect);
    for (const [n, file] of listCopies(app).entries()) {
      if (n % 3 === 0) writeFileSync(file, '');
      else if (n % 3 === 1) spoil(file);
      else rmSync(file);
    }
    // This process wrote the files and had verified them: a failed read makes it verify them again.
    await figures().catch(() => undefined);
    expect(await figures()).toEqual(expected);
  });

  test('in the blob store is restored from the local copy', async () => {
    const { app, ctx, id, figures } = await withTelemetry(dialect);
    const keys = await listBlobs(app);
    const before = await Promise.all(keys.map(async (key) => (await app.deps.blobs.stat(key))?.size));
    const [first = '', second = ''] = keys;
    await app.deps.blobs.delete(first);
    await app.deps.blobs.put(second, [Buffer.from('PAR1')], { type: 'text/plain', maxBytes: 10 });
    await rebuildDay(ctx, id, TODAY - 1);
    await rebuildDay(ctx, id, TODAY);
    expect(await Promise.all(keys.map(async (key) => (await app.deps.blobs.stat(key))?.size))).toEqual(before);
    expect(await figures()).toEqual(expected);
  });

  test('is rebuilt although it was found while the clock was wrong', async () => {
    const { app, answer, range, figures, settle } = await withTelemetry(dialect);
    const hasLogs = (name: string) => name.includes('.logs.');
    for (const key of (await listBlobs(app)).filter(hasLogs)) await app.deps.blobs.delete(key);
    for (const file of listCopies(app).filter(hasLogs)) rmSync(file);
    for (const step of [25 * HOUR, -25 * HOUR]) {
      app.advance(step);
      expect((await answer('events', { ...range, interval: 'P1D' })).statusCode).toBe(503);
    }
    await settle();
    expect(await figures()).toEqual(expected);
  });

  test.each(['logs', 'devices', 'sessions'] as const)(
    'or lost telemetry (%s) is rebuilt automatically with the same counts, and queries report it meanwhile',
    async (kind) => {
      const { app, answer, range, figures, settle } = await withTelemetry(dialect);
      const hasKind = (name: string) => name.includes(`.${kind}.`);
      for (const key of (await listBlobs(app)).filter(hasKind)) await app.deps.blobs.delete(key);
      for (const file of listCopies(app).filter(hasKind)) rmSync(file);
      const endpoint =
        kind === 'sessions' ? 'sessions_per_device' : kind === 'devices' ? 'active_device_counts' : 'events';
      const { statusCode, json } = await answer(endpoint, { ...range, interval: 'P1D' });
      expect(statusCode).toBe(503);
      expect(json().error.message).toMatch(/2026-10-31 can't be read: a file is missing or damaged/);
      await settle();
      expect(await figures()).toEqual(expected);
    },
  );

  test('is rebuilt by a job that an earlier version queued', async () => {
    const { app, ctx, id, figures, settle } = await withTelemetry(dialect);
    for (const key of await listBlobs(app)) await app.deps.blobs.delete(key);
    rmSync(getFolder(app), { recursive: true });
    await tx(ctx, async (ctx) => {
      for (const day of [TODAY - 1, TODAY]) await enqueue(ctx, formerDayRebuild, { appId: id, day });
    });
    await settle();
    expect(await figures()).toEqual(expected);
  });

  test('delays new logs of its day only until it is rebuilt', async () => {
    const { app, send, figures, settle } = await withTelemetry(dialect);
    for (const key of await listBlobs(app)) await app.deps.blobs.delete(key);
    rmSync(getFolder(app), { recursive: true });
    await send(bob, event('late', {}, NOW - DAY), event('close'));
    await settle();
    expect(await figures()).toEqual({
      events: [['close', 2, 2], ['late', 1, 1], ...expected.events.slice(1)],
      devices: [2, 2],
      sessions: [0, 1],
    });
  });

  test('is rebuilt without erased data, even if that is sent again', async () => {
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
    for (const key of await listBlobs(app)) await app.deps.blobs.delete(key);
    rmSync(getFolder(app), { recursive: true });
    await send(bob, secret);
    await settle();
    expect(await figures()).toEqual(left);
  });

  test('is reported as lost, with the backup to restore, once its batches have expired, and is read after the restore', async () => {
    const { app, ctx, id, figures, answer, range, settle } = await withTelemetry(dialect);
    await settle();
    app.advance(DAY);
    await tidyParts(ctx);
    await app.database.transaction((db) => db.query((q) => q.deleteFrom('ingest_batches')));
    const [part] = await listParts(ctx, id, { from: TODAY, to: TODAY });
    const key = part ? toBlobKey(part, 'logs') : '';
    const blob = await app.deps.blobs.get(key);
    const content = blob ? await Array.fromAsync(blob.stream) : [];
    await app.deps.blobs.delete(key);
    rmSync(getFolder(app), { recursive: true });
    await expect(rebuildDay(ctx, id, TODAY)).rejects.toThrow(key);
    expect((await answer('events', { ...range, $top: '7' })).statusCode).toBe(503);
    await app.deps.blobs.put(key, content, { type: 'text/plain', maxBytes: 1e9 });
    expect(await figures()).toEqual(expected);
  });
});
