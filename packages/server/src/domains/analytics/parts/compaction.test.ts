import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import { type AppCtx, systemCtx } from '../../../context.ts';
import { DAY, MINUTE } from '../../../kernel/clock.ts';
import { dayOf } from '../../../telemetry/index.ts';
import { addLogs } from '../../ingest/index.ts';
import { deleteEvent } from '../deletion/forgotten.ts';
import { ask } from '../questions.ts';
import { compactApp, compactRest, finishDeletions, tidyParts } from './compaction.ts';
import { makeRoom } from './files.ts';
import { listParts } from './parts.ts';

const device = { appVersion: '1.0', appBuild: '1', osName: 'iOS', osVersion: '18', model: 'iPhone', locale: 'de_DE' };
const NOW = Date.parse('2026-11-01T09:00:00Z');
const TODAY = dayOf(NOW);
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
    /** Counts by name. */
    counts: async (range = { from: TODAY - 40, to: TODAY }) => {
      const all = { names: [], order: 'name', isDescending: false, skip: 0, limit: 0 } as const;
      const { rows } = await ask(ctx, ref.id, { ask: 'events', range, filter: {}, ...all });
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },
  };
}

const filesOf = (app: TestApp): string[] => readdirSync(path.join(app.deps.config.dataDir, 'telemetry/files'));
const blobsOf = async (app: TestApp): Promise<string[]> =>
  (await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.startsWith('analytics/')).sort();

eachDatabase('compaction', (dialect) => {
  test('what devices sent is counted a few seconds later, each log once, however often it came', async () => {
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

  test('a late log changes the files of its own day only', async () => {
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

  test('when the store of files fails nothing is lost, and what was half done goes a day later', async () => {
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
    expect((await blobsOf(app)).length).toBe(4);
    await compact();
    expect(await counts()).toEqual({ open: 2 });
    app.advance(DAY + MINUTE);
    await tidyParts(ctx);
    expect((await blobsOf(app)).length).toBe(6);
    expect(await counts()).toEqual({ open: 2 });
  });

  test('two processes that compact the same app at once count nothing twice, and neither forgets what came meanwhile', async () => {
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

  test('a lease that somebody died with does not hold up the app for ever, nor does one that is lost do harm', async () => {
    const { app, ctx, id, send, counts } = await withApp(dialect);
    await send(event('open'));
    const stage: typeof ctx.telemetry.stage = async (batches) => {
      // Meanwhile the lease runs out, and another process does the work.
      app.advance(3 * MINUTE);
      await compactApp(ctx, id);
      return ctx.telemetry.stage(batches);
    };
    const slow = { ...ctx, telemetry: { ...ctx.telemetry, stage } };
    await expect(compactApp(slow, id)).rejects.toMatchObject({ code: 'Conflict' });
    expect(await counts()).toEqual({ open: 1 });
  });

  test('what nobody was told of any more is found all the same', async () => {
    const { ctx, send, counts } = await withApp(dialect);
    await send(event('open'));
    await compactRest(ctx);
    expect(await counts()).toEqual({ open: 1 });
  });

  test('more than eight parts of a day become one, and so do those of a day that is over', async () => {
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
    expect((await blobsOf(app)).length).toBe(39);
    app.advance(DAY + MINUTE);
    await tidyParts(ctx);
    expect((await blobsOf(app)).length).toBe(6);
    expect(filesOf(app).length).toBe(6);
    expect(await counts()).toEqual({ open: 11 });
  });

  test('deletes the files of a deleted app within five minutes, and keeps those of others', async () => {
    const { app, ada, ctx, send, compact } = await withApp(dialect);
    const other = await app.addApp(await app.addUser('bob'), 'other');
    await addLogs(app.deps, { appId: other.id, installId: randomUUID(), logs: [event('stay')] });
    await compactApp(ctx, other.id);
    const kept = await blobsOf(app);
    await send(event('open'), event('open', NOW - DAY));
    await compact();
    expect((await blobsOf(app)).length).toBe(kept.length + 6);
    const deleted = await app.call('DELETE', '/v0.1/apps/ada/buoy', { token: await app.userToken(ada) });
    expect(deleted.statusCode).toBe(204);
    for (let minute = 0; minute < 5; minute += 1) {
      await finishDeletions(ctx);
      app.advance(MINUTE);
    }
    await finishDeletions(ctx);
    expect(await blobsOf(app)).toEqual(kept);
    expect(filesOf(app)).toHaveLength(kept.length);
    expect(await app.database.query((q) => q.selectFrom('analytics_parts').select('app_id'))).toEqual([
      { app_id: other.id },
    ]);
  });

  test('days are sealed when nothing can come for them any more, and go when they are kept no longer', async () => {
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
    expect(await blobsOf(app)).toEqual([]);
  });

  test('an event that is deleted is gone at once, also what waits in batches; what comes later counts', async () => {
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

  test('an event that is deleted while parts are written or merged stays deleted', async () => {
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

  test('an app that is gone takes its files along', async () => {
    const { app, ctx, id, send, compact } = await withApp(dialect);
    await send(event('open'));
    await compact();
    await app.database.transaction((db) => db.query((q) => q.deleteFrom('apps').where('id', '=', id)));
    await tidyParts(ctx);
    app.advance(2 * DAY);
    await tidyParts(ctx);
    expect(await blobsOf(app)).toEqual([]);
  });

  test('what was to be counted of an app that is gone by then is done, and holds up no other', async () => {
    const { app, ctx, id, send, counts } = await withApp(dialect);
    await send(event('open'));
    const grace = await app.addUser('grace');
    const gone = await app.addApp(grace, 'lamp');
    await addLogs(app.deps, { appId: gone.id, installId: randomUUID(), logs: [event('open')] });
    await app.call('DELETE', '/v0.1/apps/grace/lamp', { token: await app.userToken(grace) });
    app.advance(5000);
    await app.runJobs();
    await compactRest(ctx);
    expect(await counts()).toEqual({ open: 1 });
    const left = await app.database.query((q) => q.selectFrom('jobs').select(['name', 'payload']));
    expect(left.filter(({ payload }) => payload.includes(gone.id) || payload.includes(id))).toEqual([]);
  });

  test('copies on this machine are made again when they are gone, and make room by when they were used', async () => {
    const { app, ctx, send, compact, counts } = await withApp(dialect);
    await send(event('open'));
    await compact();
    rmSync(path.join(app.deps.config.dataDir, 'telemetry/files'), { recursive: true });
    expect(await counts()).toEqual({ open: 1 });
    const here = filesOf(app);
    expect(here.length).toBe(2);
    const tight = { ...ctx, config: { ...ctx.config, analyticsCacheSize: 0 } };
    await makeRoom(tight);
    expect(filesOf(app)).toEqual(here);
    const [old = ''] = here;
    utimesSync(path.join(app.deps.config.dataDir, 'telemetry/files', old), 1, 1);
    await makeRoom(ctx);
    expect(filesOf(app)).toEqual(here);
    await makeRoom(tight);
    expect(filesOf(app)).toEqual(here.slice(1));
  });

  test('an answer is remembered until the parts behind it change', async () => {
    const { app, send, compact, counts } = await withApp(dialect);
    await send(event('open'));
    await compact();
    expect(await counts()).toEqual({ open: 1 });
    for (const key of await blobsOf(app)) await app.deps.blobs.delete(key);
    for (const name of filesOf(app)) rmSync(path.join(app.deps.config.dataDir, 'telemetry/files', name));
    expect(await counts()).toEqual({ open: 1 });
    await expect(counts({ from: TODAY - 1, to: TODAY })).rejects.toMatchObject({ code: 'ServiceUnavailable' });
  });
});
