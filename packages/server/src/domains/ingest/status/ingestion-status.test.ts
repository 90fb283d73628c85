import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { passBatches, readBatches } from '../batches/batches.ts';
import { definedConsumers, defineLogConsumer } from '../batches/consumers.ts';
import { sweepCounts } from './ingestion-status.ts';

const install = 'a0d28ad4-0000-4000-8000-301bb2b39eca';
const log = (sdkName = 'sdk', more: object = {}) => ({ type: 'event', device: { sdkName, ...more } });

/** Two apps of one user. */
async function withApps(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const open = async (name: string) => {
    const { id } = await app.addApp(ada, name);
    const home = `/v0.1/apps/ada/${name}`;
    const { app_secret } = (await app.call('GET', home, { token })).json();
    const call = (method: string, path: string) =>
      app.call(method, home + path, { token, ...(method === 'PUT' ? { body: {} } : {}) });
    return {
      id,
      call,
      send: async (logs: unknown[], installId = install) => {
        const headers = { 'content-type': 'application/json', 'app-secret': app_secret, 'install-id': installId };
        return (await app.call('POST', '/logs', { body: Buffer.from(JSON.stringify({ logs })), headers })).json();
      },
      status: async () => (await call('GET', '/ingestion')).json(),
    };
  };
  return { app, buoy: await open('buoy'), compass: await open('compass') };
}

eachDatabase('the ingestion of an app', (dialect) => {
  test('counts the last hour and the last day, to the minute', async () => {
    const { app, buoy } = await withApps(dialect);
    await buoy.send([log(), 7]);
    const figures = async () => {
      const { hour, day, minutes } = await buoy.status();
      return [hour.logs, hour.invalid, day.logs, minutes.length];
    };
    app.advance(HOUR - 1);
    expect(await figures()).toEqual([1, 1, 1, 1]);
    app.advance(1);
    expect(await figures()).toEqual([0, 0, 1, 0]);
    app.advance(DAY - HOUR - 1);
    expect(await figures()).toEqual([0, 0, 1, 0]);
    app.advance(1);
    expect(await figures()).toEqual([0, 0, 0, 0]);
  });

  test('names the first device that sent data; test logs of the console and the command line do not count', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    const device = { model: 'Pixel 9', osName: 'Android', osVersion: '15' };
    for (const sdk of ['mooring.console', 'mooring.cli']) await buoy.send([log(sdk, { ...device, model: 'Test' })]);
    await buoy.send([7]);
    expect((await buoy.status()).first_device).toBeUndefined();
    await buoy.send([log('appcenter.android', device)]);
    app.advance(MINUTE);
    await buoy.send([log('appcenter.ios', { model: 'iPhone15,2', osName: 'iOS' })]);
    expect((await buoy.status()).first_device).toEqual({
      model: 'Pixel 9',
      os: 'Android 15',
      received_at: '2026-11-01T09:00:00.000Z',
    });
    expect((await compass.status()).first_device).toBeUndefined();
    const { body } = await buoy.call('GET', '/ingestion/live?seconds=0');
    expect(body).toContain('event: watching');
    expect(body).toMatch(/id: first_device=\d+/);
  });

  test('sums each minute by kind, with the stored bytes', async () => {
    const { app, buoy } = await withApps(dialect);
    const old = { ...log(), timestamp: '2020-01-01T00:00:00.000Z' };
    app.advance(59_000);
    await buoy.send([log(), 7, old]);
    await buoy.send([log(), log(), 7, 7, old]);
    const sizes = [[log()], [log(), log()]].map((logs) => JSON.stringify({ logs }).length);
    const counts = { batches: 2, logs: 3, bytes: (sizes[0] ?? 0) + (sizes[1] ?? 0), invalid: 3, dropped: 2 };
    const sum = { ...counts, blocked: 0, refused: 0 };
    expect(await buoy.status()).toMatchObject({
      minutes: [{ at: '2026-11-01T09:00:00.000Z', ...sum }],
      hour: sum,
      day: sum,
    });
  });

  test('shows nothing of other apps, whose blocks have no effect here', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    const empty = await compass.status();
    await buoy.send([log(), 7]);
    await buoy.call('PUT', '/devices/block_logs');
    expect(await compass.status()).toEqual(empty);
    expect(await compass.send([log()])).toMatchObject({ accepted: 1 });
    await compass.call('PUT', `/devices/block_logs/${install}`);
    await compass.call('DELETE', '/devices/block_logs');
    expect([await buoy.send([log()]), await compass.send([log()])]).toMatchObject([{ accepted: 0 }, { accepted: 0 }]);
    await buoy.call('DELETE', '/devices/block_logs');
    await buoy.call('DELETE', `/devices/block_logs/${install}`);
    expect([await buoy.send([log()]), await compass.send([log()])]).toMatchObject([{ accepted: 1 }, { accepted: 0 }]);
    expect((await compass.status()).is_blocked).toBe(false);
    expect(await changes(app, 'ingestion')).toEqual([
      ['ingestion.block', 'ada/buoy', undefined, {}],
      ['ingestion.block', 'ada/compass', undefined, { install_id: install }],
      ['ingestion.unblock', 'ada/compass', {}, undefined],
      ['ingestion.unblock', 'ada/buoy', {}, undefined],
      ['ingestion.unblock', 'ada/buoy', { install_id: install }, undefined],
    ]);
  });

  test('shows the backlog of each consumer, and its start', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    await compass.send([log()]);
    app.advance(MINUTE);
    await buoy.send([log()]);
    app.advance(MINUTE);
    await buoy.send([log()]);
    const [consumer] = definedConsumers();
    if (!consumer) throw new Error('nobody takes logs');
    const waiting = async () =>
      (await buoy.status()).consumers.find(({ name }: { name: string }) => name === consumer.name);
    expect(await waiting()).toMatchObject({ waiting: 2, waiting_since: '2026-11-01T09:01:00.000Z' });
    for (const since of ['2026-11-01T09:02:00.000Z', undefined]) {
      const range = await readBatches(app.deps, consumer, buoy.id, { limit: 1 });
      await tx(app.deps, (ctx) => passBatches(ctx, consumer, range));
      const left = since === undefined ? 0 : 1;
      expect(await waiting()).toEqual({ name: consumer.name, waiting: left, waiting_since: since });
    }
  });

  test('lists at most 100 senders and 20 invalid logs, newest first, then by name', async () => {
    const { app, buoy } = await withApps(dialect);
    await buoy.send([log('early'), { invalid: 'early' }]);
    app.advance(MINUTE);
    const versions = [
      { sdkVersion: '2', appVersion: '1' },
      { sdkVersion: '1', appVersion: '2' },
      { sdkVersion: '1', appVersion: '1' },
    ];
    for (const version of versions) await buoy.send([log('b', version)]);
    await buoy.send([log('a')]);
    const { senders } = await buoy.status();
    expect(senders.map((each: Record<string, string>) => [each.sdk, each.sdk_version, each.app_version])).toEqual([
      ['a', '', ''],
      ['b', '1', '1'],
      ['b', '1', '2'],
      ['b', '2', '1'],
      ['early', '', ''],
    ]);
    for (let n = 0; n < 100; n++) await buoy.send([log(`many ${n}`), ...(n < 25 ? [{ invalid: n }] : [])]);
    const full = await buoy.status();
    expect([full.senders.length, full.senders.at(-1).sdk === 'early']).toEqual([100, false]);
    const invalid = full.invalid_logs.map((each: { log: string }) => JSON.parse(each.log).invalid);
    // The first twenty per minute are stored.
    expect(invalid).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n));
  });

  test('stores 200 senders per hour and 20 invalid logs per minute, for each app', async () => {
    const { app, buoy, compass } = await withApps(dialect);
    const rows = async (table: 'ingest_senders' | 'ingest_invalid_logs') =>
      (await app.database.query((q) => q.selectFrom(table).select('app_id'))).filter(({ app_id }) => app_id === buoy.id)
        .length;
    const sendMany = async (name: string) => {
      await Promise.all(Array.from({ length: 210 }, (_, n) => buoy.send([log(`${name} ${n}`), 1])));
    };
    await sendMany('a');
    // All others share one row, which continues to count.
    expect([await rows('ingest_senders'), await rows('ingest_invalid_logs')]).toEqual([201, 20]);
    const others = async () => {
      const found = await app.database.query((q) => q.selectFrom('ingest_senders').select(['sdk', 'logs']));
      return found.filter(({ sdk }) => sdk === 'other');
    };
    expect(await others()).toEqual([{ sdk: 'other', logs: 10 }]);
    await compass.send([log('of another app'), 1]);
    expect((await compass.status()).senders).toMatchObject([
      { sdk: 'of another app', sdk_version: '', app_version: '' },
    ]);
    // Existing sources are still counted by name.
    await buoy.send([log('a 0')]);
    expect(await others()).toEqual([{ sdk: 'other', logs: 10 }]);
    app.advance(MINUTE - 1);
    await buoy.send([1]);
    expect(await rows('ingest_invalid_logs')).toBe(20);
    app.advance(1);
    await buoy.send([1]);
    expect(await rows('ingest_invalid_logs')).toBe(21);
    app.advance(HOUR - MINUTE - 1);
    await buoy.send([log('late')]);
    expect(await rows('ingest_senders')).toBe(201);
    app.advance(1);
    await buoy.send([log('again')]);
    expect(await rows('ingest_senders')).toBe(202);
    // A clock that was set back by more than the period does not extend the limit.
    await Promise.all(Array.from({ length: 20 }, () => buoy.send([1])));
    const before = await rows('ingest_invalid_logs');
    app.advance(-DAY);
    await buoy.send([1]);
    expect(await rows('ingest_invalid_logs')).toBe(before + 1);
  });

  test('deletes minutes after two days, invalid logs after seven and senders after ninety, and not before', async () => {
    const { app, buoy } = await withApps(dialect);
    await buoy.send([log(), 7]);
    const left = async () => {
      await sweepCounts(systemCtx(app.deps));
      const tables = ['ingest_minutes', 'ingest_invalid_logs', 'ingest_senders'] as const;
      return Promise.all(
        tables.map(async (table) => (await app.database.query((q) => q.selectFrom(table).select('app_id'))).length),
      );
    };
    app.advance(2 * DAY + MINUTE - 1);
    expect(await left()).toEqual([1, 1, 1]);
    app.advance(1);
    expect(await left()).toEqual([0, 1, 1]);
    app.advance(5 * DAY - MINUTE);
    expect(await left()).toEqual([0, 1, 1]);
    app.advance(1);
    expect(await left()).toEqual([0, 0, 1]);
    app.advance(83 * DAY - 1);
    expect(await left()).toEqual([0, 0, 1]);
    app.advance(1);
    expect(await left()).toEqual([0, 0, 0]);
  });

  test('continues with a batch of another install when one is blocked, in either order', async () => {
    const { buoy } = await withApps(dialect);
    const other = randomUUID();
    await buoy.call('PUT', `/devices/block_logs/${install}`);
    await buoy.call('PUT', `/devices/block_logs/${install}`);
    const accepted = async (id: string) => (await buoy.send([log()], id)).accepted;
    expect([await accepted(other), await accepted(install), await accepted(other)]).toEqual([1, 0, 1]);
    await buoy.call('DELETE', `/devices/block_logs/${other}`);
    expect(await accepted(install)).toBe(0);
    await buoy.call('DELETE', `/devices/block_logs/${install}`);
    expect(await accepted(install)).toBe(1);
  });
});

test('a log consumer has a unique name', () => {
  const [first] = definedConsumers();
  if (!first) throw new Error('nobody takes logs');
  const again = () => defineLogConsumer(first.name, { types: [], job: 'tests.none' });
  expect(again).toThrow(`The log consumer ${first.name} is defined twice.`);
});
