import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { wireEvent as event, iso, wireLog as log, NOW, TODAY, withApps } from '../../../../test/harness/analytics.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { DAY, MINUTE } from '../../../kernel/clock.ts';
import { tidyParts } from './compaction.ts';

const [ann, bob] = [randomUUID(), randomUUID()];

eachDatabase('stored telemetry', (dialect) => {
  test('of an erased install is hidden from all figures immediately, including waiting batches; later logs count', async () => {
    const { app, open } = await withApps(dialect);
    const { get, send, compact, call, ref } = await open();
    const sent = [log('startSession', NOW, { sid: 's' }), event('open', { sid: 's' })];
    await send(ann, ...sent, event('open', {}, NOW - DAY));
    await send(bob, ...sent);
    await compact();
    await send(ann, event('wait'));
    const figures = async () => {
      const query = { start: iso(TODAY - 1), end: iso(TODAY) };
      const { daily } = await get('active_device_counts', query);
      const sessions = await get('session_counts', { ...query, interval: 'P1D' });
      const { events } = await get('events', query);
      const counts = (series: { count: number }[]) => series.map(({ count }) => count);
      return [
        counts(daily),
        counts(sessions),
        events.map((each: { name: string; count: number }) => [each.name, each.count]),
      ];
    };
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    expect((await call('DELETE', `installs/${ann}`, undefined, await app.userToken(grace))).statusCode).toBe(403);
    expect((await call('DELETE', `installs/${ann.toUpperCase()}`)).statusCode).toBe(204);
    const left = [[0, 1], [0, 1], [['open', 1]]];
    expect(await figures()).toEqual(left);
    app.advance(5000);
    await app.runJobs();
    expect(await figures()).toEqual(left);
    const marks = await app.database.query((q) =>
      q.selectFrom('analytics_parts').select('forgotten').where('state', '=', 'live'),
    );
    expect(marks).toEqual([{ forgotten: '[]' }]);
    await send(ann, event('again'));
    await compact();
    expect(await figures()).toEqual([
      [0, 2],
      [0, 1],
      [
        ['again', 1],
        ['open', 1],
      ],
    ]);
    const [audit] = await app.database.query((q) =>
      q.selectFrom('audit_events').select('before').where('action', '=', 'analytics_install.delete'),
    );
    expect(audit).toEqual({ before: JSON.stringify({ install_id: ann }) });
  });

  test('of an erased user is deleted, and nothing else; the audit log does not contain the ID', async () => {
    const { app, open } = await withApps(dialect);
    const { get, send, compact, call } = await open();
    await send(ann, event('one', { userId: "u'1" }), event('two'), event('three', { userId: 'v' }));
    await compact();
    await send(ann, event('four', { userId: "u'1" }), event('five', { userId: 'v' }));
    expect((await call('DELETE', `users/${encodeURIComponent("u'1")}`)).statusCode).toBe(204);
    const listed = async () =>
      (await get('events', { start: iso(TODAY), $orderby: 'name' })).events.map(({ name }: { name: string }) => name);
    expect(await listed()).toEqual(['three', 'two']);
    app.advance(5000);
    await app.runJobs();
    expect(await listed()).toEqual(['five', 'three', 'two']);
    const [audit] = await app.database.query((q) =>
      q.selectFrom('audit_events').select(['before', 'after']).where('action', '=', 'analytics_user.delete'),
    );
    expect(JSON.stringify(audit)).not.toContain("u'1");
  });

  test('is retained as configured for the app, or for the server once the app resets it', async () => {
    const { app, open } = await withApps(dialect, { analyticsRetentionDays: 40, analyticsMaxRetentionDays: 400 });
    const [short, long, plain] = [await open(), await open(), await open()];
    const grace = await app.addUser('grace');
    await app.addMember(short.ref, grace, 'developer');
    const set = (each: typeof short, retention_days: unknown, token?: string) =>
      each.call('PATCH', 'storage', { retention_days }, token);
    expect((await set(short, 30, await app.userToken(grace))).statusCode).toBe(403);
    for (const wrong of [27, 3651, '30', 1.5, undefined]) expect((await set(short, wrong)).statusCode).toBe(400);
    expect((await set(short, 30)).json()).toMatchObject({
      retention_days: 30,
      server_retention_days: 40,
      max_retention_days: 400,
      is_own: true,
      log_count: 0,
    });
    const tooLong = await set(long, 401);
    expect([tooLong.statusCode, tooLong.body]).toEqual([400, expect.stringContaining('at most 400 on this server')]);
    await set(long, 400);
    for (const each of [short, long, plain]) {
      await each.send(ann, event('open'));
      await each.compact();
    }
    expect(await short.get('storage')).toMatchObject({
      log_count: 1,
      oldest_day: '2026-11-01',
      newest_day: '2026-11-01',
    });
    expect((await short.get('storage')).bytes).toBeGreaterThan(100);
    expect((await long.get('limits')).limits[0]).toMatchObject({ name: 'retention_days', value: 400 });
    const countLogs = async () => {
      await tidyParts(systemCtx(app.deps));
      const counts = [short, long, plain].map(async (each) => (await each.get('storage')).log_count);
      return Promise.all(counts);
    };
    app.advance(30 * DAY);
    expect(await countLogs()).toEqual([1, 1, 1]);
    app.advance(DAY);
    expect(await countLogs()).toEqual([0, 1, 1]);
    expect(await long.get('events/open/properties')).toMatchObject({ event_properties: [] });
    app.advance(10 * DAY);
    expect(await countLogs()).toEqual([0, 1, 0]);
    expect(await long.get('events', { start: iso(TODAY) })).toMatchObject({ total_devices: 1 });
    expect((await set(long, null)).json()).toMatchObject({ retention_days: 40, is_own: false });
    expect(await countLogs()).toEqual([0, 0, 0]);
    expect((await changes(app, 'analytics_retention')).map(([, name, before, after]) => [name, before, after])).toEqual(
      [
        ['ada/app1', { retention_days: 40 }, { retention_days: 30 }],
        ['ada/app2', { retention_days: 40 }, { retention_days: 400 }],
        ['ada/app2', { retention_days: 400 }, { retention_days: 40 }],
      ],
    );
  });

  test('is retained no longer than the server allows, even if the app was allowed more before', async () => {
    const { app, open } = await withApps(dialect, { analyticsRetentionDays: 40 });
    const { get, call } = await open();
    expect((await call('PATCH', 'storage', { retention_days: 41 })).statusCode).toBe(400);
    expect((await call('PATCH', 'storage', { retention_days: 40 })).statusCode).toBe(200);
    await app.database.transaction((db) => db.query((q) => q.updateTable('analytics_retention').set({ days: 400 })));
    expect(await get('storage')).toMatchObject({ retention_days: 40, is_own: true });
  });

  test('shows the progress of an erasure until no file contains the data', async () => {
    const { app, open } = await withApps(dialect);
    const { get, send, compact, call, ref } = await open();
    await send(ann, event('open'), event('open', {}, NOW - DAY));
    await compact();
    await send(ann, event('wait'));
    expect(await get('deletions')).toEqual({ total: 0, values: [] });
    await call('DELETE', `installs/${ann}`);
    const requested = { kind: 'install', value: ann, requested_at: '2026-11-01T09:00:00.000Z', file_count: 2 };
    const deletion = async () => (await get('deletions')).values;
    const has_batches = true;
    expect(await deletion()).toEqual([{ ...requested, files_left: 2, former_files: 0, has_batches }]);
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    expect((await call('GET', 'deletions', undefined, await app.userToken(grace))).statusCode).toBe(403);
    app.advance(5000);
    await app.runJobs();
    expect(await deletion()).toEqual([{ ...requested, files_left: 0, former_files: 2, has_batches }]);
    // The logs are removed from the stored batches too; the batches themselves stay.
    app.advance(5000);
    await app.runJobs();
    await tidyParts(systemCtx(app.deps));
    expect(await deletion()).toEqual([{ ...requested, files_left: 0, former_files: 2, has_batches: false }]);
    app.advance(3 * MINUTE - 5000);
    await tidyParts(systemCtx(app.deps));
    expect(await deletion()).toHaveLength(1);
    app.advance(1);
    await tidyParts(systemCtx(app.deps));
    const batches = await app.database.query((q) => q.selectFrom('ingest_batches').select(['install_id', 'log_count']));
    expect(batches).toEqual(Array(2).fill({ install_id: '', log_count: 0 }));
    expect(await deletion()).toEqual([]);
  });

  test('is limited by settings, with counts of exceeded limits', async () => {
    const { app, open } = await withApps(dialect, {
      analyticsNameLength: 5,
      analyticsProperties: 1,
      analyticsPropertyLength: 3,
      analyticsEventNames: 2,
    });
    const { get, send, compact } = await open();
    await send(
      ann,
      event('a long name', { properties: { k: 'value', more: 'x' } }, NOW - 3000),
      event('b', {}, NOW - 2000),
    );
    await compact();
    await send(ann, event('c', {}, NOW - 1000), event('b'), event('d'));
    await compact();
    const { events } = await get('events', { start: iso(TODAY), $orderby: 'name' });
    expect(events.map((each: { name: string; count: number }) => [each.name, each.count])).toEqual([
      ['(other)', 2],
      ['a lon', 1],
      ['b', 2],
    ]);
    expect((await get('events/a%20lon/properties/k/counts', { start: iso(TODAY) })).values).toEqual([
      { name: 'val', count: 1, previous_count: 0 },
    ]);
    const limits = async () => {
      const response = await get('limits');
      expect(response.other_event_name).toBe('(other)');
      return Object.fromEntries(
        response.limits.map((each: { name: string; value: number; exceeded_count?: number }) => [
          each.name,
          [each.value, each.exceeded_count],
        ]),
      );
    };
    const shown = {
      retention_days: [90, undefined],
      event_name_length: [5, 1],
      event_names_per_day: [2, 2],
      properties_per_event: [1, 1],
      property_length: [3, 1],
      audiences: [200, undefined],
      charts: [200, undefined],
    };
    expect(await limits()).toEqual(shown);
    app.advance(28 * DAY);
    await tidyParts(systemCtx(app.deps));
    expect(await limits()).toMatchObject({ event_name_length: [5, 0] });
    expect(await app.database.query((q) => q.selectFrom('analytics_cuts').selectAll())).toEqual([]);
  });
});
