import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { iso, NOW, TODAY, wireEvent, wireLog, withApps } from '../../../test/harness/analytics.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { readReports, sealDays } from '../../../test/harness/background-work.ts';
import { crash, handledError } from '../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import type { TelemetryQuery } from '../../telemetry/index.ts';
import { queryTelemetry } from '../analytics/index.ts';
import { readReceived } from '../ingest/index.ts';
import { importHistory } from './history.ts';
import { readRecords } from './history-work.ts';
import { runExports } from './writing.ts';

const [ann, bob] = [randomUUID(), randomUUID()];
const PAST = TODAY - 60;
const past = (seconds = 0) => PAST * DAY + seconds * 1000;
type Records = Record<string, string>[];

const buy = (fields: Record<string, string> = {}) => ({
  MessageType: 'EventLog',
  InstallId: ann,
  Timestamp: new Date(past()).toISOString(),
  EventId: 'e-1',
  EventName: 'buy',
  SessionId: 's',
  AppVersion: '1.0',
  ...fields,
});

async function opened(dialect: 'sqlite' | 'postgres') {
  const { app, token, ada, open } = await withApps(dialect);
  const openApp = async () => {
    const one = await open();
    const url = `/v0.1/apps/ada/${one.ref.name}/history`;
    const bring = async (records: unknown, as = token) => {
      const { statusCode, json } = await app.call('POST', url, { token: as, body: records as object });
      return { statusCode, ...json() };
    };
    const read = async (entity: string, day = PAST, skip = 0): Promise<{ records: Records; next_skip?: number }> => {
      const query = { entity, day: iso(day).slice(0, 10), skip: String(skip) };
      const { statusCode, body, json } = await app.call('GET', url, { token, query });
      expect([statusCode, statusCode === 200 ? '' : body]).toEqual([200, '']);
      return json();
    };
    const runQuery = <Q extends TelemetryQuery>(appId: string, telemetryQuery: Q) =>
      queryTelemetry(systemCtx(app.deps, 'ada'), appId, telemetryQuery);
    const range = { from: PAST, to: PAST };
    const count = async () => {
      await one.compact();
      const { total } = await runQuery(one.ref.id, { kind: 'eventByDay', range, filter: {}, name: 'buy' });
      return total;
    };
    return { ...one, url, bring, read, count, runQuery, range };
  };
  return { app, token, ada, openApp, ctx: systemCtx(app.deps) };
}

eachDatabase('imported history', (dialect) => {
  test('counts each log once, on its own day, even if it is sent again', async () => {
    const { app, openApp } = await opened(dialect);
    const { bring, count } = await openApp();
    expect(await bring([buy()])).toEqual({ statusCode: 200, accepted: 1, invalid: 0, dropped: 0, is_repeated: false });
    expect(await count()).toEqual({ count: 1, devices: 1, sessions: 1 });
    // Repeated because the response was lost.
    expect(await bring([buy()])).toEqual({ statusCode: 200, accepted: 0, invalid: 0, dropped: 0, is_repeated: true });
    // The same event in another request, and with the ID in upper case as Apple writes it.
    expect(await bring([buy({ InstallId: ann.toUpperCase() }), buy({ InstallId: bob })])).toMatchObject({
      accepted: 2,
    });
    expect(await count()).toEqual({ count: 2, devices: 2, sessions: 2 });
    // Days that old are sealed by the next cleanup, which drops their keys.
    await sealDays(app);
    expect(await bring([buy(), buy({ EventId: '' }), buy({ EventId: 'e-2', SessionId: 't' })])).toMatchObject({
      accepted: 3,
    });
    expect(await count()).toEqual({ count: 3, devices: 2, sessions: 3 });
    await sealDays(app);
    expect(await count()).toEqual({ count: 3, devices: 2, sessions: 3 });
    expect((await recorded(app, 'history.import')).length).toBe(4);
  });

  test('is not new: no group is announced, no export includes it, and log flow does not show it', async () => {
    const { app, openApp, ctx, token } = await opened(dialect);
    const { bring, ref, send, url } = await openApp();
    const home = url.replace('/history', '');
    const made = await app.call('POST', `${home}/export_configurations`, {
      token,
      body: { type: 'file', format: 'minutes', export_entities: ['crashes'], backfill: false },
    });
    expect(made.statusCode).toBe(202);
    const log = crash({ at: past() });
    const record = { MessageType: 'ManagedErrorLog', InstallId: ann, Log: JSON.stringify(log) };
    expect(await bring([buy(), record])).toMatchObject({ accepted: 2 });
    await readReports(app, ref.id);
    const announced = () => app.database.query((q) => q.selectFrom('announcements').select('type'));
    expect(await announced()).toEqual([]);
    const shown = async () => (await readReceived(app.deps, ref.id, { after: 0, limit: 10 })).batches.length;
    expect(await shown()).toBe(0);
    const exported = async () => {
      app.advance(3 * MINUTE);
      await runExports(ctx);
      await app.runJobs();
      const folder = path.join(app.deps.config.dataDir, 'exports');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('v1.data'))
        .length;
    };
    expect(await exported()).toBe(0);

    // Logs of devices are read normally.
    await send(bob, crash({ method: 'ship' }));
    await readReports(app, ref.id);
    expect(await announced()).toHaveLength(1);
    expect(await shown()).toBe(1);
    expect(await exported()).toBe(1);

    const { crash_groups } = (await app.call('GET', `${home}/crash_groups`, { token })).json();
    expect(crash_groups).toHaveLength(2);
    const [group] = crash_groups.filter(
      ({ first_occurrence }: { first_occurrence: string }) => first_occurrence < iso(TODAY),
    );
    expect(group).toMatchObject({ count: 1, impacted_users: 1, first_occurrence: new Date(past()).toISOString() });
    // Repeated together with another record; the report still exists once.
    await bring([record, buy({ EventId: 'e-9' })]);
    await readReports(app, ref.id);
    const { crash_groups: again } = (await app.call('GET', `${home}/crash_groups`, { token })).json();
    expect(again.map(({ count }: { count: number }) => count)).toEqual([1, 1]);
  });

  test('of many installs in one request arrives at one time, before later data of devices', async () => {
    const { app, openApp } = await opened(dialect);
    const { bring, ref, send } = await openApp();
    const installs = Array.from({ length: 2000 }, () => randomUUID());
    const now = app.deps.clock.now();
    expect(await bring(installs.map((InstallId) => buy({ InstallId })))).toMatchObject({ accepted: 2000 });
    await send(bob, wireEvent('buy'));
    expect(await bring([buy({ EventId: 'e-7' })])).toMatchObject({ accepted: 1 });
    await send(bob, wireEvent('buy'));
    const rows = await app.database.query((q) =>
      q
        .selectFrom('ingest_batches')
        .select(['received_at', 'is_history'])
        .where('app_id', '=', ref.id)
        .orderBy('number'),
    );
    const times = rows.map(({ received_at }) => received_at - now);
    expect([times.length, times.slice(0, 2000).every((time) => time === times[0])]).toEqual([2003, true]);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThan(1000);
    const { batches } = await readReceived(app.deps, ref.id, { after: now + (times[0] ?? 0), limit: 10 });
    expect(batches).toHaveLength(2);
  });

  test('counts the same in the importing app as in the original one', async () => {
    const { app, openApp } = await opened(dialect);
    const [from, to] = [await openApp(), await openApp()];
    const log = (type: string, second: number, fields: object) => wireLog(type, past(second), fields);
    const twin = { name: 'buy', sid: 's', properties: { plan: 'pro' } };
    await from.send(
      ann,
      log('startSession', 0, { sid: 's' }),
      wireEvent('buy', twin, past(1)),
      // They differ only in their IDs, which are not stored.
      wireEvent('buy', twin, past(1)),
      wireEvent('buy', twin, past(1)),
      log('page', 2, { name: 'home', sid: 's' }),
      log('customProperties', 3, { properties: [{ type: 'number', name: 'level', value: 3 }] }),
    );
    await from.send(
      bob,
      wireEvent('open', { userId: 'u' }, past(5)),
      crash({ at: past(6) }),
      handledError({ at: past(7) }),
    );
    await from.compact();
    await readReports(app, from.ref.id);
    await sealDays(app);

    for (const entity of ['logs', 'crashes', 'errors']) {
      const { records, next_skip } = await from.read(entity);
      expect([records.length, next_skip]).toEqual([{ logs: 7, crashes: 1, errors: 1 }[entity], undefined]);
      expect(await to.bring(records)).toMatchObject({ accepted: records.length, invalid: 0, dropped: 0 });
      // A page from the middle has the same records.
      expect((await from.read(entity, PAST, 3)).records).toEqual(records.slice(3));
    }
    expect(await from.read('logs', PAST + 1)).toEqual({ records: [] });
    await to.compact();
    await readReports(app, to.ref.id);
    const common = { range: from.range, filter: {} };
    for (const telemetryQuery of [
      { kind: 'usage', ...common, bucketDays: 1 },
      { kind: 'eventByDay', ...common, name: 'buy' },
      { kind: 'eventByDay', ...common, name: 'open' },
      { kind: 'crashes', ...common },
      { kind: 'sessionDurations', ...common },
      { kind: 'customProperties', ...common, limit: 10 },
      { kind: 'devicesBy', ...common, dimension: 'model', limit: 10 },
    ] as Parameters<typeof from.runQuery>[1][])
      expect([telemetryQuery.kind, await to.runQuery(to.ref.id, telemetryQuery)]).toEqual([
        telemetryQuery.kind,
        await from.runQuery(from.ref.id, telemetryQuery),
      ]);
    expect(await to.count()).toEqual({ count: 3, devices: 1, sessions: 1 });
    // Imported records can be exported again.
    expect((await to.read('logs')).records).toHaveLength(7);
  });

  test('is rejected with more values or fields than fit into memory', async () => {
    const records = (count: number) => ({ appId: 'a', now: 0, body: Buffer.from(`[${'{},'.repeat(count)}{}]`) });
    expect(() => readRecords(records(600_000))).toThrow('has more than 1000000 values. Send fewer records');
    const wide = `[{${Array.from({ length: 6000 }, (_, n) => `"k${n}":1`)}}]`;
    expect(() => readRecords({ appId: 'a', now: 0, body: Buffer.from(wide) })).toThrow('more than 5000 fields');
  });

  test('is rejected if it is not an array of records; unknown records are counted', async () => {
    const { app, openApp } = await opened(dialect);
    const { bring, ref, url } = await openApp();
    expect(await bring({ logs: [] })).toMatchObject({ statusCode: 400 });
    const send = async (payload: string) =>
      (
        await app.http.inject({
          method: 'POST',
          url,
          payload,
          headers: { 'content-type': 'application/json', 'x-api-token': await app.userToken(await app.addUser('eve')) },
        })
      ).statusCode;
    expect(await send('[]')).toBe(404);
    expect(
      await bring([null, 3, buy({ MessageType: 'Odd' }), buy({ InstallId: 'x' }), buy({ Timestamp: 'noon' })]),
    ).toEqual({ statusCode: 200, accepted: 0, invalid: 5, dropped: 0, is_repeated: false });
    const [tooOld, ahead] = [NOW - 3651 * DAY, NOW + 4 * DAY].map((at) => new Date(at).toISOString());
    expect(await bring([tooOld, ahead].map((Timestamp = '') => buy({ Timestamp })))).toMatchObject({ dropped: 2 });
    const viewer = await app.addUser('vic');
    await app.addMember(ref, viewer, 'developer');
    expect(await bring([buy()], await app.userToken(viewer))).toMatchObject({ statusCode: 403 });
  });

  test('is stored completely when the transaction is rolled back and repeated', async () => {
    const { app, ada, openApp } = await opened(dialect);
    const { ref, count } = await openApp();
    const records = Array.from({ length: 1000 }, (_, at) => buy({ InstallId: randomUUID(), EventId: `e-${at}` }));
    const bytes = Buffer.from(JSON.stringify(records));
    const { db } = app.deps;
    // Repeats the transaction, as PostgreSQL does after a deadlock.
    const transaction: typeof db.transaction = async (work) => {
      const undo = new Error('undone');
      await db
        .transaction(async (inner) => {
          await work(inner);
          throw undo;
        })
        .catch((error: unknown) => expect(error).toBe(undo));
      return db.transaction(work);
    };
    const ctx = { ...app.as(ada), db: { ...db, transaction }, app: ref, permission: 'manager' as const };
    expect(await importHistory(ctx, { encoding: 'identity', bytes, maxInflated: bytes.length })).toMatchObject({
      accepted: 1000,
      isRepeated: false,
    });
    expect(await count()).toMatchObject({ count: 1000 });
  });

  test('with many records is read in another process and stored with pauses, so that other requests get responses', async () => {
    const { app, openApp } = await opened(dialect);
    const { bring, count } = await openApp();
    const processSpy = vi.spyOn(app.deps.workers, 'process');
    const records = Array.from({ length: 3000 }, (_, at) => buy({ InstallId: randomUUID(), EventId: `e-${at}` }));
    let turns = 0;
    let isDone = false;
    const done = bring([...records, { MessageType: 'None' }]).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    expect(await done).toEqual({ statusCode: 200, accepted: 3000, invalid: 1, dropped: 0, is_repeated: false });
    expect(turns).toBeGreaterThan(3000 / 100);
    expect(processSpy.mock.calls.map(([{ name }]) => name)).toEqual(['the process that reads imported history']);
    expect(await count()).toMatchObject({ count: 3000 });
    expect(await bring([...records, { MessageType: 'None' }])).toMatchObject({ accepted: 0, is_repeated: true });
    const broken = await bring({ records });
    expect([broken.statusCode, broken.error.message]).toEqual([
      400,
      expect.stringContaining('not a JSON array of records'),
    ]);
  });
});
