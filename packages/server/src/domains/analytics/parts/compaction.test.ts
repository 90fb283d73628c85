import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { type AppCtx, systemCtx } from '../../../context.ts';
import { DAY, MINUTE } from '../../../kernel/clock.ts';
import { toDay } from '../../../telemetry/index.ts';
import { addLogs } from '../../ingest/index.ts';
import { deleteEvent } from '../deletion/erasures.ts';
import { queryTelemetry } from '../telemetry-queries.ts';
import { compactApp, compactRest, finishDeletions, tidyParts } from './compaction.ts';
import { evictCache } from './files.ts';
import { listParts } from './parts.ts';

const device = { appVersion: '1.0', appBuild: '1', osName: 'iOS', osVersion: '18', model: 'iPhone', locale: 'de_DE' };
const NOW = Date.parse('2026-11-01T09:00:00Z');
const TODAY = toDay(NOW);
const always = { from: TODAY - 100, to: TODAY + 100 };

const event = (name: string, at = NOW, id: string = randomUUID()) => ({
  type: 'event',
  id,
  name,
  timestamp: new Date(at).toISOString(),
  device,
});

async function withApp(dialect: 'sqlite' | 'postgres', settings = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const ref = await app.addApp(ada, 'buoy');
  const ctx = systemCtx(app.deps);
  const appCtx: AppCtx = { ...app.as(ada), app: ref, permission: 'manager' };
  const install = randomUUID();
  return {
    app,
    ada,
    ctx,
    appCtx,
    id: ref.id,
    send: (...logs: object[]) => addLogs(app.deps, { appId: ref.id, installId: install, logs }),
    compact: () => compactApp(ctx, ref.id),
    parts: (days = always) => listParts(ctx, ref.id, days),
    /** Event counts by name. */
    counts: async (range = { from: TODAY - 40, to: TODAY }) => {
      const all = { names: [], order: 'name', isDescending: false, skip: 0, limit: 0 } as const;
      const { rows } = await queryTelemetry(ctx, ref.id, { kind: 'events', range, filter: {}, ...all });
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },
  };
}

const listFiles = (app: TestApp): string[] => readdirSync(path.join(app.deps.config.dataDir, 'telemetry/files'));
const listBlobs = async (app: TestApp): Promise<string[]> =>
  (await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.startsWith('analytics/')).sort();

eachDatabase('compaction', (dialect) => {
  test('counts logs within seconds, each once, even if they are sent repeatedly', async () => {
    const { app, send, counts } = await withApp(dialect);
    const twice = event('open');
    await send(twice, event('open'), { type: 'managedError', id: randomUUID() });
    expect(await counts()).toEqual({});
    app.advance(5000);
    await app.runJobs();
    expect(await counts()).toEqual({ open: 2 });
    await send(twice, event('close'));
    app.advance(5000);
    await app.runJobs();
    expect(await counts()).toEqual({ open: 2, close: 1 });
  });

  test('of a late log changes only the files of its day', async () => {
    const { send, compact, parts, counts } = await withApp(dialect);
    await send(event('open'), event('open', NOW - DAY));
    await compact();
    const before = await parts();
    expect(before.map(({ day }) => day)).toEqual([TODAY - 1, TODAY]);
    await send(event('open', NOW - DAY));
    await compact();
    const after = await parts();
    expect(after.map(({ day }) => day)).toEqual([TODAY - 1, TODAY - 1, TODAY]);
    expect(after.filter(({ id }) => before.some((part) => part.id === id))).toEqual(before);
    expect(await counts()).toEqual({ open: 3 });
  });

  test('loses nothing when the blob store fails, and deletes incomplete files a day later', async () => {
    const { app, ctx, id, send, compact, counts, parts } = await withApp(dialect);
    await send(event('open'), event('open', NOW - DAY));
    let puts = 0;
    const put: typeof ctx.blobs.put = (...file) => {
      puts += 1;
      if (puts === 5) throw new Error('the disk is gone');
      return ctx.blobs.put(...file);
    };
    await expect(compactApp({ ...ctx, blobs: { ...ctx.blobs, put } }, id)).rejects.toThrow('the disk is gone');
    expect(await parts()).toEqual([]);
    expect((await listBlobs(app)).length).toBe(4);
    await compact();
    expect(await counts()).toEqual({ open: 2 });
    app.advance(DAY + MINUTE);
    await tidyParts(ctx);
    expect((await listBlobs(app)).length).toBe(6);
    expect(await counts()).toEqual({ open: 2 });
  });

  test('by two processes at the same time counts nothing twice and misses no new logs', async () => {
    const { app, ctx, id, send, counts } = await withApp(dialect);
    const other = systemCtx((await app.another()).deps);
    for (let n = 0; n < 5; n += 1) await send(event('open'));
    await Promise.all([compactApp(ctx, id), compactApp(other, id), compactApp(ctx, id)]);
    expect(await counts()).toEqual({ open: 5 });
    await send(event('open'));
    app.advance(5000);
    await app.runJobs();
    expect(await counts()).toEqual({ open: 6 });
  });

  test('continues after the lease of a dead process has expired, and a lost lease does no harm', async () => {
    const { app, ctx, id, send, counts } = await withApp(dialect);
    await send(event('open'));
    const stage: typeof ctx.telemetry.stage = async (batches) => {
      // The lease expires, and another process takes over the work.
      app.advance(3 * MINUTE);
      await compactApp(ctx, id);
      return ctx.telemetry.stage(batches);
    };
    const slow = { ...ctx, telemetry: { ...ctx.telemetry, stage } };
    await expect(compactApp(slow, id)).rejects.toMatchObject({ code: 'Conflict' });
    expect(await counts()).toEqual({ open: 1 });
  });

  test('finds batches whose notification was lost', async () => {
    const { ctx, send, counts } = await withApp(dialect);
    await send(event('open'));
    await compactRest(ctx);
    expect(await counts()).toEqual({ open: 1 });
  });

  test('merges more than eight segments of a day, and all segments of a past day', async () => {
    const { app, ctx, send, compact, parts, counts } = await withApp(dialect);
    for (let n = 0; n < 8; n += 1) {
      await send(event('open'), ...(n < 2 ? [event('open', NOW - DAY)] : []));
      await compact();
    }
    expect((await parts()).length).toBe(10);
    await send(event('open'));
    await compact();
    expect((await parts()).map(({ day, logCount }) => [day - TODAY, logCount])).toEqual([
      [-1, 1],
      [-1, 1],
      [0, 9],
    ]);
    app.advance(15 * MINUTE);
    await tidyParts(ctx);
    expect((await parts()).map(({ day, logCount }) => [day - TODAY, logCount])).toEqual([
      [-1, 2],
      [0, 9],
    ]);
    expect((await listBlobs(app)).length).toBe(39);
    app.advance(DAY + MINUTE);
    await tidyParts(ctx);
    expect((await listBlobs(app)).length).toBe(6);
    expect(listFiles(app).length).toBe(6);
    expect(await counts()).toEqual({ open: 11 });
  });

  test('deletes the files of a deleted app within five minutes, and keeps those of others', async () => {
    const { app, ada, ctx, send, compact } = await withApp(dialect);
    const other = await app.addApp(await app.addUser('bob'), 'other');
    await addLogs(app.deps, { appId: other.id, installId: randomUUID(), logs: [event('stay')] });
    await compactApp(ctx, other.id);
    const blobs = await listBlobs(app);
    await send(event('open'), event('open', NOW - DAY));
    await compact();
    expect((await listBlobs(app)).length).toBe(blobs.length + 6);
    const deleted = await app.call('DELETE', '/v0.1/apps/ada/buoy', { token: await app.userToken(ada) });
    expect(deleted.statusCode).toBe(204);
    for (let minute = 0; minute < 5; minute += 1) {
      await finishDeletions(ctx);
      app.advance(MINUTE);
    }
    await finishDeletions(ctx);
    expect(await listBlobs(app)).toEqual(blobs);
    expect(listFiles(app)).toHaveLength(blobs.length);
    expect(await app.database.query((q) => q.selectFrom('analytics_parts').select('app_id'))).toEqual([
      { app_id: other.id },
    ]);
  });

  test('seals days that can receive no more logs and deletes them after the retention period', async () => {
    const { app, ctx, send, compact, parts, counts } = await withApp(dialect, { analyticsRetentionDays: 40 });
    await send(event('open'));
    await compact();
    app.advance(28 * DAY);
    await tidyParts(ctx);
    expect((await parts()).map(({ isSealed }) => isSealed)).toEqual([false]);
    app.advance(DAY);
    await tidyParts(ctx);
    expect((await parts()).map(({ isSealed }) => isSealed)).toEqual([true]);
    expect(await counts()).toEqual({ open: 1 });
    app.advance(12 * DAY);
    await tidyParts(ctx);
    expect(await counts()).toEqual({});
    app.advance(2 * DAY);
    await tidyParts(ctx);
    expect(await listBlobs(app)).toEqual([]);
  });

  test('hides an erased event immediately, including waiting batches; later events count', async () => {
    const { app, appCtx, send, compact, counts, parts } = await withApp(dialect);
    await send(event('open'), event('close'));
    await compact();
    await send(event('open'));
    await deleteEvent(appCtx, 'open');
    expect(await counts()).toEqual({ close: 1 });
    app.advance(1000);
    await send(event('open'));
    app.advance(5000);
    await app.runJobs();
    expect(await counts()).toEqual({ close: 1, open: 1 });
    expect((await parts()).map(({ forgotten }) => forgotten)).toEqual([[]]);
    const audit = await app.database.query((q) => q.selectFrom('audit_events').select(['action', 'before']));
    expect(audit).toContainEqual({ action: 'analytics_event.delete', before: '{"name":"open"}' });
  });

  test('keeps an event erased while segments are written or merged', async () => {
    const { app, ctx, appCtx, id, send, compact, counts } = await withApp(dialect);
    await send(event('open'));
    const stage: typeof ctx.telemetry.stage = async (batches) => {
      await deleteEvent(appCtx, 'open');
      return ctx.telemetry.stage(batches);
    };
    const telemetry = { ...ctx.telemetry, stage };
    await expect(compactApp({ ...ctx, telemetry }, id)).rejects.toMatchObject({ code: 'Conflict' });
    await compact();
    expect(await counts()).toEqual({});
    await send(event('open'));
    await compact();
    await send(event('open', NOW - DAY));
    await compact();
    app.advance(DAY + 15 * MINUTE);
    await send(event('close', NOW));
    await compact();
    const merge: typeof ctx.telemetry.merge = async (...parts) => {
      await deleteEvent(appCtx, 'open');
      return ctx.telemetry.merge(...parts);
    };
    app.advance(15 * MINUTE);
    await expect(tidyParts({ ...ctx, telemetry: { ...ctx.telemetry, merge } })).rejects.toMatchObject({
      code: 'Conflict',
    });
    await tidyParts(ctx);
    expect(await counts()).toEqual({ close: 1 });
  });

  test('deletes the files of a deleted app', async () => {
    const { app, ctx, id, send, compact } = await withApp(dialect);
    await send(event('open'));
    await compact();
    await app.database.transaction((db) => db.query((q) => q.deleteFrom('apps').where('id', '=', id)));
    await tidyParts(ctx);
    app.advance(2 * DAY);
    await tidyParts(ctx);
    expect(await listBlobs(app)).toEqual([]);
  });

  test('skips a deleted app without delaying others', async () => {
    const { app, ctx, id, send, counts } = await withApp(dialect);
    await send(event('open'));
    const grace = await app.addUser('grace');
    const deletedApp = await app.addApp(grace, 'lamp');
    await addLogs(app.deps, { appId: deletedApp.id, installId: randomUUID(), logs: [event('open')] });
    await app.call('DELETE', '/v0.1/apps/grace/lamp', { token: await app.userToken(grace) });
    app.advance(5000);
    await app.runJobs();
    await compactRest(ctx);
    expect(await counts()).toEqual({ open: 1 });
    const left = await app.database.query((q) => q.selectFrom('jobs').select(['name', 'payload']));
    expect(left.filter(({ payload }) => payload.includes(deletedApp.id) || payload.includes(id))).toEqual([]);
  });

  test('restores missing local copies, and evicts the least recently used ones', async () => {
    const { app, ctx, send, compact, counts } = await withApp(dialect);
    await send(event('open'));
    await compact();
    rmSync(path.join(app.deps.config.dataDir, 'telemetry/files'), { recursive: true });
    expect(await counts()).toEqual({ open: 1 });
    const here = listFiles(app);
    expect(here.length).toBe(2);
    const tight = { ...ctx, config: { ...ctx.config, analyticsCacheSize: 0 } };
    await evictCache(tight);
    expect(listFiles(app)).toEqual(here);
    const [old = ''] = here;
    utimesSync(path.join(app.deps.config.dataDir, 'telemetry/files', old), 1, 1);
    await evictCache(ctx);
    expect(listFiles(app)).toEqual(here);
    await evictCache(tight);
    expect(listFiles(app)).toEqual(here.slice(1));
  });

  test('caches results until their segments change', async () => {
    const { app, send, compact, counts } = await withApp(dialect);
    await send(event('open'));
    await compact();
    expect(await counts()).toEqual({ open: 1 });
    for (const key of await listBlobs(app)) await app.deps.blobs.delete(key);
    for (const name of listFiles(app)) rmSync(path.join(app.deps.config.dataDir, 'telemetry/files', name));
    expect(await counts()).toEqual({ open: 1 });
    await expect(counts({ from: TODAY - 1, to: TODAY })).rejects.toMatchObject({ code: 'ServiceUnavailable' });
  });
});
