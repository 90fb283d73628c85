import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { type AppCtx, systemCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, MINUTE } from '../../../kernel/clock.ts';
import { type Erasure, toDay } from '../../../telemetry/index.ts';
import { checkErasures, deleteEvent, listKnownErasures, releaseErasures } from '../deletion/erasures.ts';
import { tidyParts } from './compaction.ts';
import { insertPart } from './parts.store.ts';
import { listParts, publishParts, sweepParts } from './parts.ts';

const NOW = Date.parse('2026-11-01T09:00:00Z');
const TODAY = toDay(NOW);
const always = { from: TODAY - 1000, to: TODAY + 1000 };

const toMark = (value: string): Erasure => ({ kind: 'event', value });

interface Row {
  id: string;
  day?: number;
  state?: 'draft' | 'live' | 'old';
  /** Event names. */
  forgotten?: string[];
  isSealed?: boolean;
  changedAt?: number;
}

/** Two apps with segments that have rows but no files. */
async function withApps(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const open = async (name: string) => {
    const ref = await app.addApp(ada, name);
    const ctx: AppCtx = { ...app.as(ada), app: ref, permission: 'manager' };
    return {
      id: ref.id,
      ctx,
      add: (row: Row) =>
        tx(app.deps, ({ db }) =>
          insertPart.run(db, {
            app_id: ref.id,
            id: row.id,
            day: row.day ?? TODAY,
            state: row.state ?? 'live',
            is_sealed: row.isSealed ? 1 : 0,
            log_count: 3,
            files: '{}',
            forgotten: JSON.stringify((row.forgotten ?? []).map(toMark)),
            changed_at: row.changedAt ?? NOW,
          }),
        ),
      live: async (days = always) => (await listParts(app.deps, ref.id, days)).map(({ id }) => id),
      forgotten: async () => (await listParts(app.deps, ref.id, always)).map((part) => part.forgotten),
    };
  };
  const states = async () => {
    const rows = await app.database.query((q) => q.selectFrom('analytics_parts').select(['id', 'state']).orderBy('id'));
    return rows.map(({ id, state }) => `${id} ${state}`);
  };
  return { app, ctx: systemCtx(app.deps), buoy: await open('buoy'), compass: await open('compass'), states };
}

eachDatabase('segments', (dialect) => {
  test('are listed by day: the live ones of an app in a range', async () => {
    const { buoy, compass } = await withApps(dialect);
    for (const day of [-2, 2, -1, 1, 0]) await buoy.add({ id: `day ${day}`, day: TODAY + day });
    await buoy.add({ id: 'draft', state: 'draft' });
    await buoy.add({ id: 'old', state: 'old' });
    await buoy.add({ id: 'a second', day: TODAY - 1 });
    await compass.add({ id: 'of-another', isSealed: true, forgotten: ['a'] });
    expect(await buoy.live({ from: TODAY - 1, to: TODAY + 1 })).toEqual(['a second', 'day -1', 'day 0', 'day 1']);
    expect(await listParts(buoy.ctx, compass.id, always)).toEqual([
      {
        appId: compass.id,
        id: 'of-another',
        day: TODAY,
        isSealed: true,
        logCount: 3,
        batches: undefined,
        files: {},
        forgotten: [toMark('a')],
      },
    ]);
  });

  test('are published all or none, and only if the ones they replace are unchanged', async () => {
    const { ctx, buoy, compass, states } = await withApps(dialect);
    await buoy.add({ id: 'before' });
    await compass.add({ id: 'draft of another', state: 'draft' });
    const replaced = await listParts(ctx, buoy.id, always);
    const publish = (id: string) =>
      tx(ctx, (ctx) => publishParts(ctx, buoy.id, [{ appId: buoy.id, id, day: TODAY }], replaced));
    const refused = { code: 'Conflict', message: expect.stringContaining(String(TODAY)) };
    await expect(publish('nothing')).rejects.toMatchObject(refused);
    await expect(publish('draft of another')).rejects.toMatchObject(refused);
    await buoy.add({ id: 'first', state: 'draft' });
    await deleteEvent(buoy.ctx, 'open');
    // An event was erased since the segments were read, and the draft still contains it.
    await expect(publish('first')).rejects.toMatchObject(refused);
    expect(await states()).toEqual(['before live', 'draft of another draft', 'first draft']);
    const again = await listParts(ctx, buoy.id, always);
    await tx(ctx, (ctx) => publishParts(ctx, buoy.id, [{ appId: buoy.id, id: 'first', day: TODAY }], again));
    expect(await states()).toEqual(['before old', 'draft of another draft', 'first live']);
    await expect(publish('first')).rejects.toMatchObject(refused);
  });

  test('that are no longer read are deleted after the retention period', async () => {
    const { ctx, buoy, states } = await withApps(dialect);
    for (let n = 0; n < 101; n += 1) await buoy.add({ id: `old-${n}`, state: 'old', changedAt: NOW - n - 1 });
    await buoy.add({ id: 'draft', state: 'draft', changedAt: NOW - 1 });
    await buoy.add({ id: 'live', changedAt: NOW - 1 });
    await buoy.add({ id: 'young', state: 'old', changedAt: NOW });
    await sweepParts(ctx, NOW);
    expect(await states()).toEqual(['live live', 'young old']);
  });

  test('are deleted a day after their replacement, and with their app', async () => {
    const { app, ctx, buoy, compass, states } = await withApps(dialect);
    await buoy.add({ id: 'old', state: 'old', changedAt: NOW - DAY });
    await compass.add({ id: 'of-another' });
    await tidyParts(ctx);
    expect(await states()).toEqual(['of-another live', 'old old']);
    await app.database.transaction((db) => db.query((q) => q.deleteFrom('apps').where('id', '=', compass.id)));
    app.advance(1);
    await tidyParts(ctx);
    expect(await states()).toEqual(['of-another old']);
    app.advance(DAY + MINUTE);
    await tidyParts(ctx);
    expect(await states()).toEqual([]);
  });
});

eachDatabase('erased events', (dialect) => {
  test('are marked in every segment of the app, and in no other app', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    await buoy.add({ id: 'early', day: 1, forgotten: ['close'] });
    await buoy.add({ id: 'late', day: TODAY + 3 });
    await compass.add({ id: 'of-another' });
    await deleteEvent(buoy.ctx, 'open');
    await deleteEvent(buoy.ctx, 'open');
    const early = { from: 0, to: 1 };
    expect((await listParts(app.deps, buoy.id, early)).map(({ forgotten }) => forgotten)).toEqual([
      ['close', 'open'].map(toMark),
    ]);
    expect((await listParts(app.deps, buoy.id, always)).map(({ forgotten }) => forgotten)).toEqual([[toMark('open')]]);
    expect(await compass.forgotten()).toEqual([[]]);
    expect(await changes(app, 'analytics_event')).toEqual(
      Array(2).fill(['analytics_event.delete', 'ada/buoy', { name: 'open' }, undefined]),
    );
    const jobs = await app.database.query((q) => q.selectFrom('jobs').select(['name', 'payload']));
    expect(jobs).toContainEqual({ name: 'analytics.compact', payload: JSON.stringify({ appId: buoy.id }) });
  });

  test('are recorded with the last batch that they apply to, until it is deleted', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    await deleteEvent(buoy.ctx, 'before anything came');
    const received = (last_number: number) =>
      tx(app.deps, ({ db }) =>
        db.query((q) =>
          q
            .insertInto('ingest_apps')
            .values({ app_id: buoy.id, last_number, last_received_at: NOW })
            .onConflict((c) => c.column('app_id').doUpdateSet({ last_number })),
        ),
      );
    await received(5);
    await deleteEvent(buoy.ctx, 'open');
    await deleteEvent(compass.ctx, 'open');
    const known = async (of = buoy) =>
      Object.fromEntries((await listKnownErasures(app.deps, of.id)).map(({ value, upTo }) => [value, upTo]));
    expect([await known(), await known(compass)]).toEqual([{ 'before anything came': 0, open: 5 }, { open: 0 }]);
    await received(8);
    await deleteEvent(buoy.ctx, 'open');
    expect((await known()).open).toBe(8);
    const batch = {
      app_id: buoy.id,
      install_id: 'x',
      log_count: 1,
      is_history: 0 as const,
      encoding: 'identity' as const,
      size: 1,
      body: Buffer.from('x'),
    };
    const insertBatch = (number: number) =>
      tx(app.deps, ({ db }) =>
        db.query((q) => q.insertInto('ingest_batches').values({ ...batch, number, received_at: number })),
      );
    await insertBatch(8);
    await insertBatch(9);
    await releaseErasures(app.deps);
    expect([await known(), await known(compass)]).toEqual([{ open: 8 }, {}]);
    await tx(app.deps, ({ db }) => db.query((q) => q.deleteFrom('ingest_batches').where('number', '=', 8)));
    await releaseErasures(app.deps);
    expect(await known()).toEqual({});
  });

  test('refuse segments that were begun before the erasure', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    await deleteEvent(compass.ctx, 'open');
    const begun = await listKnownErasures(app.deps, buoy.id);
    await checkErasures(app.deps, buoy.id, begun);
    await deleteEvent(buoy.ctx, 'open');
    await expect(checkErasures(app.deps, buoy.id, begun)).rejects.toMatchObject({
      code: 'Conflict',
      message: expect.stringContaining('open'),
    });
    await checkErasures(app.deps, buoy.id, await listKnownErasures(app.deps, buoy.id));
  });
});
