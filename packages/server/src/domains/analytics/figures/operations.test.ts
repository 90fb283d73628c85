import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  phone as device,
  wireEvent as event,
  iso,
  wireLog as log,
  NOW,
  TODAY,
  withApps,
} from '../../../../test/harness/analytics.ts';
import {
  countPlainly,
  type PlainLog,
  toWire,
  withoutRepeats,
} from '../../../../test/harness/references/reference-counting.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';

const ann = randomUUID();
const names = ['checkout', 'a|b', 'größe/ж', '100%'];
const drawn = fc.array(
  fc.record(
    {
      type: fc.constantFrom('startSession', 'event', 'event', 'page', 'startService', 'managedError'),
      at: fc.integer({ min: (TODAY - 9) * 24, max: (TODAY + 1) * 24 - 1 }).map((hour) => hour * HOUR),
      install: fc.constantFrom(ann, randomUUID(), randomUUID()),
      sid: fc.constantFrom('a', 'b', 'c'),
      id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      name: fc.constantFrom(...names),
      properties: fc.dictionary(fc.constantFrom('plan', 'größe'), fc.constantFrom('a', 'b', 'c'), { maxKeys: 2 }),
      version: fc.constantFrom('1.2', '1.10', '2.0'),
      build: fc.constantFrom('10', '11'),
      country: fc.constantFrom('de', 'us', undefined),
      model: fc.constantFrom('Pixel 7', 'iPhone 15'),
      os: fc.constantFrom<[string, string]>(['Android', '14'], ['iOS', '18.1']),
      locale: fc.constantFrom('en_US', 'de-DE'),
    },
    { noNullPrototype: true },
  ),
  { minLength: 5, maxLength: 60 },
);

function tidy({ country, name, properties, id, ...log }: Omit<PlainLog, 'country'> & { country?: string | undefined }) {
  const isNamed = log.type === 'event' || log.type === 'page';
  return {
    ...log,
    ...(country === undefined ? {} : { country }),
    ...(isNamed ? { name: name ?? '', properties: { ...properties } } : {}),
    ...(log.type === 'event' || log.type === 'managedError' ? { id: id ?? '' } : {}),
  } satisfies PlainLog;
}

const ratio = (count: number, of: number) => (of === 0 ? 0 : count / of);
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

eachDatabase('analytics', (dialect) => {
  test('returns the same results as plain code, regardless of order and repetition of logs', {
    timeout: 300_000,
  }, async () => {
    const { open } = await withApps(dialect);
    const odd = [{ type: 'event' }, { type: 'page', device: 7 }, { type: 'handledError' }, { type: 'nobody knows' }];
    await fc.assert(
      fc.asyncProperty(
        drawn,
        fc.nat({ max: 50 }),
        fc.constantFrom([], ['1.2'], ['1.10', '2.0']),
        async (all, at, versions) => {
          const sent = all.map(tidy);
          const { get, send, compact } = await open();
          for (const part of [sent.slice(0, at), sent.slice(at), sent.slice(at / 2, at)]) {
            for (const each of part) await send(each.install, toWire(each));
            await compact();
          }
          // Malformed logs among the others; only some are counted, none of them on these days.
          await send(ann, ...odd.map((each) => ({ timestamp: iso(TODAY - 40), ...each })));
          await compact();
          const count = countPlainly(withoutRepeats(sent.slice(0, at), sent.slice(at)));
          const range = { from: TODAY - 2, to: TODAY };
          const before = { from: TODAY - 5, to: TODAY - 3 };
          const filter = versions.length > 0 ? { version: versions } : {};
          const query = {
            start: iso(range.from),
            end: iso(range.to),
            ...(versions.length > 0 ? { versions: versions.join('|') } : {}),
          };
          const series = (counts: number[], width = 1) =>
            counts.map((count, at) => ({ datetime: iso(range.from + at * width), count }));

          const active = count({ kind: 'activeDevices', range, filter }) as {
            daily: number[];
            weekly: number[];
            monthly: number[];
          };
          expect(await get('active_device_counts', query)).toEqual({
            daily: series(active.daily),
            weekly: series(active.weekly),
            monthly: series(active.monthly),
          });

          type Usage = { devices: number[]; sessions: number[] };
          const usage = (range: { from: number; to: number }, bucketDays: number) =>
            count({ kind: 'usage', range, filter, bucketDays }) as Usage;
          const perDay = ({ devices, sessions }: Usage) => sessions.map((count, at) => ratio(count, devices[at] ?? 0));
          const [now, previous] = [usage(range, 1), usage(before, 1)];
          for (const [interval, width] of [
            ['P1D', 1],
            ['P1W', 7],
            ['P30D', 30],
          ] as const) {
            const buckets = usage(range, width);
            expect(await get('session_counts', { ...query, interval })).toEqual(series(buckets.sessions, width));
            expect(await get('sessions_per_device', { ...query, interval })).toEqual({
              average_sessions_per_user: sum(perDay(now)) / 3,
              previous_average_sessions_per_user: sum(perDay(previous)) / 3,
              total_count: sum(now.sessions),
              previous_total_count: sum(previous.sessions),
              sessions_per_user: series(perDay(buckets), width),
            });
          }

          const lasting = count({ kind: 'sessionDurations', range, filter }) as {
            bands: number[];
            sessions: number;
            totalMs: number;
          };
          const durations = await get('session_durations_distribution', query);
          expect(durations.distribution.map((band: { count: number }) => band.count)).toEqual(lasting.bands);
          const seconds = ratio(lasting.totalMs, lasting.sessions) / 1000;
          const [, h = 0, m = 0, s = 0] =
            /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(durations.average_duration) ?? [];
          expect(Number(h) * 3600 + Number(m) * 60 + Number(s)).toBeCloseTo(seconds, 2);

          type Rows = { total: number; rows: { value: string; count: number; previous: number }[] };
          for (const [path, list, value, dimension] of [
            ['models', 'models', 'model_name', 'model'],
            ['oses', 'oses', 'os_name', 'os'],
            ['languages', 'languages', 'language_name', 'language'],
            ['places', 'places', 'code', 'country'],
          ] as const) {
            for (const limit of [0, 1]) {
              const { total, rows } = count({ kind: 'devicesBy', range, filter, dimension, limit }) as Rows;
              expect(await get(path, { ...query, $top: limit })).toEqual({
                total,
                [list]: rows.map((row) => ({ [value]: row.value, count: row.count, previous_count: row.previous })),
              });
            }
          }
          const byVersion = count({ kind: 'devicesBy', range, filter, dimension: 'version', limit: 0 }) as Rows;
          const inOrder = ['1.2', '1.10', '2.0'].flatMap((version) =>
            byVersion.rows.filter((row) => row.value === version),
          );
          expect(await get('versions', query)).toEqual({
            total: byVersion.total,
            versions: inOrder.map(({ value, count, previous }) => ({
              version: value,
              count,
              previous_count: previous,
            })),
          });

          type Events = {
            total: number;
            totalDevices: number;
            rows: {
              name: string;
              count: number;
              devices: number;
              sessions: number;
              previousCount: number;
              previousDevices: number;
            }[];
          };
          const listed = count({
            kind: 'events',
            range,
            filter,
            names: [],
            order: 'count',
            isDescending: true,
            skip: 0,
            limit: 0,
          }) as Events;
          const { events, ...totals } = await get('events', { ...query, $inlinecount: 'allpages' });
          expect(totals).toEqual({ total: listed.total, total_devices: listed.totalDevices });
          expect(events.map(({ id: _, ...row }: { id: string }) => row)).toEqual(
            listed.rows.map((row) => ({
              name: row.name,
              device_count: row.devices,
              previous_device_count: row.previousDevices,
              count: row.count,
              previous_count: row.previousCount,
              count_per_device: ratio(row.count, row.devices),
              count_per_session: ratio(row.count, row.sessions),
            })),
          );

          type Figures = { count: number; devices: number; sessions: number };
          const [name = ''] = [...names].sort(() => at - 25);
          const daily = count({ kind: 'eventByDay', range, filter, name }) as {
            days: Figures[];
            total: Figures;
            previous: Figures;
            totalDevices: number;
          };
          const path = `events/${encodeURIComponent(name)}`;
          expect(await get(`${path}/event_count`, query)).toEqual({
            total_count: daily.total.count,
            previous_total_count: daily.previous.count,
            count: series(daily.days.map((day) => day.count)),
          });
          expect(await get(`${path}/device_count`, query)).toEqual({
            total_devices: daily.totalDevices,
            total_devices_with_event: daily.total.devices,
            previous_total_devices_with_event: daily.previous.devices,
            devices_count: series(daily.days.map((day) => day.devices)),
          });
          expect(await get(`${path}/count_per_device`, query)).toEqual({
            avg_count_per_device: ratio(daily.total.count, daily.total.devices),
            previous_avg_count_per_device: ratio(daily.previous.count, daily.previous.devices),
            count_per_device: series(daily.days.map((day) => ratio(day.count, day.devices))),
          });
          expect(await get(`${path}/count_per_session`, query)).toEqual({
            avg_count_per_session: ratio(daily.total.count, daily.total.sessions),
            previous_avg_count_per_session: ratio(daily.previous.count, daily.previous.sessions),
            count_per_session: series(daily.days.map((day) => ratio(day.count, day.sessions))),
          });
          const ever = { from: TODAY - 90, to: TODAY + 3 };
          expect(await get(`${path}/properties`)).toEqual({
            event_properties: count({ kind: 'eventProperties', range: ever, filter: {}, name }),
          });
          const values = count({ kind: 'propertyValues', range, filter, name, property: 'größe', limit: 10 }) as Rows;
          expect(await get(`${path}/properties/${encodeURIComponent('größe')}/counts`, query)).toEqual({
            total: values.total,
            values: values.rows.map(({ value, count, previous }) => ({ name: value, count, previous_count: previous })),
          });

          type Crashes = { count: number; devices: number; activeDevices: number };
          const crashes = count({ kind: 'crashes', range, filter }) as { days: Crashes[]; total: Crashes };
          expect(await get('crash_counts', query)).toEqual({
            count: crashes.total.count,
            crashes: series(crashes.days.map((day) => day.count)),
          });
          const ofVersion = count({ kind: 'crashes', range, filter: { version: ['2.0'] } }) as typeof crashes;
          const free = ({ devices, activeDevices }: Crashes) =>
            activeDevices === 0 ? 100 : 100 * (1 - devices / activeDevices);
          expect(await get('crashfree_device_percentages', { start: query.start, version: '2.0' })).toEqual({
            average_percentage: free(ofVersion.total),
            daily_percentages: ofVersion.days.map((day, at) => ({
              datetime: iso(range.from + at),
              percentage: free(day),
            })),
          });
        },
      ),
      { numRuns: 4, endOnFailure: true },
    );
  });

  test('includes the days of start and end, and ends today by default', async () => {
    const { open } = await withApps(dialect);
    const { get, answer } = await open();
    const days = async (query: Record<string, string>) =>
      (await get('active_device_counts', query)).daily.map(({ datetime }: { datetime: string }) =>
        datetime.slice(0, 10),
      );
    expect(await days({ start: '2026-10-30T23:59:59.999Z' })).toEqual(['2026-10-30', '2026-10-31', '2026-11-01']);
    expect(await days({ start: '2026-11-01T01:00:00+02:00', end: '2026-11-01T00:00:00Z' })).toEqual([
      '2026-10-31',
      '2026-11-01',
    ]);
    expect(await days({ start: '2026-11-05T00:00:00Z' })).toEqual(['2026-11-05']);
    const late = await answer('active_device_counts', { start: '2026-11-02T00:00:00Z', end: '2026-11-01T00:00:00Z' });
    expect([late.statusCode, late.json()]).toEqual([
      400,
      { error: { code: 400, message: 'start must not be after end.' } },
    ]);
    const long = await answer('session_counts', { start: '0001-01-01T00:00:00Z', interval: 'P1D' });
    expect([long.statusCode, long.json().error.code]).toEqual([400, 'BadRequest']);
  });

  test('accepts versions joined by pipes or repeated, and filters by app_build unless it is one of them', async () => {
    const { open } = await withApps(dialect);
    const { get, send, compact } = await open();
    await send(ann, event('open'));
    await send(randomUUID(), event('open', { device: { ...device, appVersion: '2.0', appBuild: '8' } }));
    await compact();
    const active = async (query: Record<string, string | string[]>) =>
      (await get('active_device_counts', { start: iso(TODAY), ...query })).daily[0].count;
    expect(await active({})).toBe(2);
    expect(await active({ versions: '' })).toBe(2);
    expect(await active({ versions: '1.0|2.0' })).toBe(2);
    expect(await active({ versions: ['1.0', '2.0'] })).toBe(2);
    expect(await active({ versions: '1.0', app_build: '1.0' })).toBe(1);
    expect(await active({ app_build: '8' })).toBe(1);
    expect(await active({ versions: '1.0', app_build: '8' })).toBe(0);
    expect(await active({ versions: 'none' })).toBe(0);
  });

  test('sorts events by any column, within limits, and rejects other columns', async () => {
    const { open } = await withApps(dialect);
    const { get, answer, send, compact } = await open();
    await send(ann, event('b'), event('b'), event('a'), event('c'));
    await compact();
    const listed = async (query: Record<string, string | number>) =>
      (await get('events', { start: iso(TODAY), ...query })).events.map(({ name }: { name: string }) => name);
    expect(await listed({})).toEqual(['b', 'a', 'c']);
    expect(await listed({ $orderby: 'name desc' })).toEqual(['c', 'b', 'a']);
    expect(await listed({ $orderby: 'device_count', $top: 2 })).toEqual(['a', 'b']);
    expect(await listed({ $top: 0, $skip: 1 })).toEqual(['a', 'c']);
    expect(await listed({ event_name: 'c|none|b' })).toEqual(['b', 'c']);
    expect((await get('events', { start: iso(TODAY), $inlinecount: 'none' })).total).toBeUndefined();
    for (const $orderby of ['count; DROP TABLE', 'nothing', 'name up', 'name asc asc', '']) {
      const refused = await answer('events', { start: iso(TODAY), $orderby });
      expect([$orderby, refused.statusCode, refused.json().error.code]).toEqual([$orderby, 400, 400]);
    }
    const [first, again] = [await get('events', { start: iso(TODAY) }), await get('events', { start: iso(TODAY - 5) })];
    expect(first.events.map(({ id }: { id: string }) => id)).toEqual(again.events.map(({ id }: { id: string }) => id));
  });

  test('deletes events for managers only, and hides them immediately', async () => {
    const { app, ada, open } = await withApps(dialect);
    const { get, send, compact, remove, ref } = await open();
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    await send(ann, event('a/b'), event('keep'));
    await compact();
    const left = async () =>
      (await get('events', { start: iso(TODAY) })).events.map(({ name }: { name: string }) => name);
    const refused = await remove('events/a%2Fb', await app.userToken(grace));
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 403]);
    expect((await remove('events/a%2Fb', await app.userToken(ada, { scope: ['viewer'] }))).statusCode).toBe(403);
    expect(await left()).toEqual(['a/b', 'keep']);
    const removed = await remove('events/a%2Fb');
    expect([removed.statusCode, removed.body]).toEqual([200, '']);
    expect(await left()).toEqual(['keep']);
    expect((await remove('event_logs/keep')).statusCode).toBe(200);
    expect(await left()).toEqual([]);
    expect((await remove(`events/${encodeURIComponent('ж'.repeat(256))}`)).statusCode).toBe(200);
  });

  test('returns logs of today after a time, once, in whole batches by time of arrival', async () => {
    const { app, open } = await withApps(dialect);
    const { get, send } = await open();
    const flow = (start?: string) => get('generic_log_flow', start === undefined ? {} : { start });
    const empty = await flow();
    expect(empty).toEqual({ exceeded_max_limit: false, last_received_log_timestamp: iso(TODAY), logs: [] });
    await send(
      ann,
      event('one', { sid: 'S', typedProperties: [{ type: 'long', name: 'n', value: 3 }] }),
      log('managedError', NOW),
    );
    await send(ann, log('startSession', NOW - DAY, { sid: 'S' }), { type: 'errorAttachment' });
    const first = await flow();
    expect(first.logs).toMatchObject([
      {
        type: 'event',
        event_name: 'one',
        session_id: 'S',
        install_id: ann,
        properties: { n: '3' },
        device: { app_version: '1.0', sdk_name: '' },
      },
      { type: 'error' },
      { type: 'start_session' },
    ]);
    const nothing = await flow(first.last_received_log_timestamp);
    expect(nothing).toEqual({ ...empty, last_received_log_timestamp: first.last_received_log_timestamp });
    for (let n = 0; n < 3; n += 1) await send(ann, ...Array.from({ length: 40 }, (_, at) => event(`${n} ${at}`)));
    const full = await flow(first.last_received_log_timestamp);
    expect([full.logs.length, full.exceeded_max_limit]).toEqual([80, true]);
    const rest = await flow(full.last_received_log_timestamp);
    expect([rest.logs.length, rest.exceeded_max_limit]).toEqual([40, false]);
    expect((await get('log_flow', { start: full.last_received_log_timestamp })).logs[0]).toMatchObject({
      type: 'event',
      name: '2 0',
    });
    await send(ann, ...Array.from({ length: 150 }, (_, at) => event(`${at}`)));
    const cut = await flow(rest.last_received_log_timestamp);
    expect([cut.logs.length, cut.exceeded_max_limit]).toEqual([100, true]);
    app.advance(DAY);
    const tomorrow = await flow(cut.last_received_log_timestamp);
    expect(tomorrow).toEqual({ ...empty, last_received_log_timestamp: iso(TODAY + 1) });
  });

  test('streams matching logs and resumes from the last position', async () => {
    const { app, token, open } = await withApps(dialect);
    const { send, ref } = await open();
    const url = `/v0.1/apps/ada/${ref.name}/analytics/log_flow/live`;
    const heard = async (query: Record<string, string>, lastEventId?: string) => {
      const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const response = await app.call('GET', url, { token, query: { seconds: '0', ...query }, headers });
      expect(response.statusCode).toBe(200);
      return response.body.split('\n\n').flatMap((block) => {
        const [, id] = /^id: (.*)$/m.exec(block) ?? [];
        const [, event] = /^event: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        return data === undefined ? [] : [{ id, event, data: JSON.parse(data) }];
      });
    };
    await send(ann, event('before'));
    const [first, ...none] = await heard({});
    expect([first?.event, none]).toEqual(['watching', []]);
    app.advance(1000);
    await send(ann, event('one'), log('startSession', NOW, { sid: 's' }));
    await send(ann.toUpperCase(), event('two', { device: { ...device, appVersion: '2.0' } }));
    const namesIn = async (query: Record<string, string>, id = first?.id) =>
      (await heard(query, id)).flatMap(({ data }) =>
        data.logs.map((each: { event_name?: string; type: string }) => each.event_name ?? each.type),
      );
    expect(await namesIn({})).toEqual(['one', 'start_session', 'two']);
    expect(await namesIn({ type: 'event', version: '1.0' })).toEqual(['one']);
    expect(await namesIn({ name: 'two' })).toEqual(['two']);
    expect(await namesIn({ install_id: ann.toUpperCase() })).toEqual(['one', 'start_session', 'two']);
    expect(await namesIn({ install_id: 'nobody' })).toEqual([]);
    const last = (await heard({}, first?.id)).at(-1)?.id;
    expect(await namesIn({}, last)).toEqual([]);
    expect((await app.call('GET', url, { token, query: { type: 'song' } })).statusCode).toBe(400);
    const stranger = await app.userToken(await app.addUser('grace'));
    expect((await app.call('GET', url, { token: stranger })).statusCode).toBe(404);
  });
});
