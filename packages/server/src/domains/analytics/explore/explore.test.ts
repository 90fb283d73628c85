import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  wireEvent as event,
  iso,
  wireLog as log,
  NOW,
  phone,
  TODAY,
  withApps,
} from '../../../../test/harness/analytics.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import {
  countPlainly,
  type PlainLog,
  toWire,
  withoutRepeats,
} from '../../../../test/harness/references/reference-counting.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';

const [ann, bob] = [randomUUID(), randomUUID()];
const time = (at: number) => new Date(at).toISOString();

const names = ['open', 'buy', 'größe/ж'];
const drawn = fc.array(
  fc.record(
    {
      type: fc.constantFrom('startSession', 'event', 'event', 'page', 'managedError'),
      at: fc.integer({ min: (TODAY - 6) * 24, max: (TODAY + 1) * 24 - 1 }).map((hour) => hour * HOUR),
      install: fc.constantFrom(ann, bob, randomUUID()),
      sid: fc.constantFrom('a', 'b', 'c'),
      id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      name: fc.constantFrom(...names),
      properties: fc.dictionary(fc.constantFrom('plan'), fc.constantFrom('a', 'b'), { maxKeys: 1 }),
      version: fc.constantFrom('1.2', '1.10'),
      build: fc.constantFrom('10', '11'),
      model: fc.constantFrom('Pixel 7', 'iPhone 15'),
      os: fc.constantFrom<[string, string]>(['Android', '14'], ['iOS', '18.1']),
      locale: fc.constantFrom('en_US', 'de-DE'),
      carrier: fc.constantFrom('A', 'B'),
    },
    { noNullPrototype: true },
  ),
  { minLength: 5, maxLength: 60 },
);

function tidy({ name, properties, id, ...rest }: PlainLog): PlainLog {
  const isNamed = rest.type === 'event' || rest.type === 'page';
  return {
    ...rest,
    ...(isNamed ? { name: name ?? '', properties: { ...properties } } : {}),
    ...(rest.type === 'event' || rest.type === 'managedError' ? { id: id ?? '' } : {}),
  };
}

eachDatabase('exploring', (dialect) => {
  test('returns the same breakdowns, funnels, retention, paths and logs as plain code', {
    timeout: 300_000,
  }, async () => {
    const { open } = await withApps(dialect);
    await fc.assert(
      fc.asyncProperty(drawn, fc.nat({ max: 30 }), async (all, at) => {
        const sent = all.map(tidy);
        const { get, call, send, compact } = await open();
        for (const part of [sent.slice(at), sent.slice(0, at), sent.slice(at / 2, at)]) {
          for (const each of part) await send(each.install, toWire(each));
          await compact();
        }
        const count = countPlainly(withoutRepeats(sent.slice(at), sent.slice(0, at)));
        const range = { from: TODAY - 3, to: TODAY };
        const times = { from: range.from * DAY + 2 * HOUR, to: (TODAY + 1) * DAY - HOUR };
        const between = { start: time(times.from), end: time(times.to) };
        const days = { start: iso(range.from), end: iso(range.to) };
        const version = { version: ['1.10'] };

        type Broken = {
          total: number;
          groups: number;
          counts: number[];
          rows: { values: string[]; total: number; counts: number[] }[];
        };
        for (const [query, expectedQuery] of [
          [
            { measure: 'devices', by: 'version', interval: 'P1D' },
            { by: ['version'], bucketMs: DAY },
          ],
          [
            { measure: 'sessions', by: ['os', 'carrier'], $top: 2 },
            { by: ['os', 'carrier'], limit: 2 },
          ],
          [
            { measure: 'events', interval: 'PT1H', versions: '1.10' },
            { by: [], bucketMs: HOUR, filter: version },
          ],
          [{ measure: 'crashes', by: 'model' }, { by: ['model'] }],
          [
            { measure: 'events', by: ['event', 'version'], interval: 'P1D' },
            { by: ['event', 'version'], bucketMs: DAY },
          ],
          [
            { measure: 'events', event: 'buy', by: ['property:plan', 'language'], interval: 'P1W' },
            { event: 'buy', by: [{ property: 'plan' }, 'language'], bucketMs: 7 * DAY },
          ],
        ] as const) {
          const usual = { range, filter: {}, times, event: undefined, bucketMs: 0, limit: 10 };
          const plain = count({ kind: 'breakdown', ...usual, ...expectedQuery, measure: query.measure }) as Broken;
          const { buckets, ...response } = await get('breakdown', { ...between, ...query } as Record<string, string>);
          expect({ query, answer: response }).toEqual({
            query,
            answer: { total: plain.total, group_count: plain.groups, counts: plain.counts, groups: plain.rows },
          });
          const width = 'bucketMs' in expectedQuery ? expectedQuery.bucketMs : 0;
          expect(buckets).toEqual(plain.counts.map((_, at) => time(times.from + at * width)));
        }

        const steps = [{ event: 'open' }, { event: 'buy' }, { event: 'buy', property: 'plan', value: 'a' }];
        const body = { ...days, steps, within_seconds: 86_400 };
        const expected = count({
          kind: 'funnel',
          range,
          filter: {},
          steps: [{ name: 'open' }, { name: 'buy' }, { name: 'buy', property: { name: 'plan', value: 'a' } }],
          withinMs: DAY,
        }) as number[];
        const funnel = await call('POST', 'funnel', body);
        expect(funnel.json().steps.map((step: { device_count: number }) => step.device_count)).toEqual(expected);

        const cohorts = count({ kind: 'retention', range, filter: version, bucketDays: 1, since: TODAY - 90 });
        const retention = await get('retention', { ...days, interval: 'P1D', versions: '1.10' });
        expect(retention.cohorts.map((each: { active_counts: number[] }) => each.active_counts)).toEqual(cohorts);

        const paths = count({ kind: 'sessionPaths', range, filter: {}, start: 'open', length: 3, limit: 50 }) as {
          sessions: number;
          paths: number;
          rows: { names: string[]; sessions: number }[];
        };
        expect(await get('session_paths', { ...days, from: 'open', length: 3 })).toEqual({
          session_count: paths.sessions,
          path_count: paths.paths,
          paths: paths.rows.map(({ names, sessions }) => ({ names, session_count: sessions })),
        });

        const none = { name: undefined, install: undefined, user: undefined, session: undefined, property: undefined };
        const found = count({ kind: 'logSearch', range, filter: {}, times, ...none, name: 'buy', skip: 0, limit: 200 });
        const { logs } = await get('event_logs', { ...between, event: 'buy', $top: 200 });
        const toPairs = (each: { install: string; at: number }[]) => each.map(({ install, at }) => [install, time(at)]);
        expect(
          logs.map((each: { install_id: string; timestamp: string }) => [each.install_id, each.timestamp]),
        ).toEqual(toPairs(found as { install: string; at: number }[]));
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  test('rejects invalid queries and says what to do instead', async () => {
    const { open } = await withApps(dialect);
    const { answer, call } = await open();
    const start = iso(TODAY - 1);
    const refusal = async (query: Record<string, string | string[]>) => {
      const refused = await answer('breakdown', { start, measure: 'devices', ...query });
      return [refused.statusCode, refused.json().error.message];
    };
    expect(await refusal({ by: 'property:plan' })).toEqual([
      400,
      'Grouping by a property requires an event. Send its name as event.',
    ]);
    expect(await refusal({ by: 'event' })).toEqual([400, expect.stringContaining('Only the measure events')]);
    expect(await refusal({ measure: 'crashes', event: 'x' })).toEqual([
      400,
      expect.stringContaining("can't be filtered by event"),
    ]);
    expect(await refusal({ end: start })).toEqual([400, 'start must be before end.']);
    expect(await refusal({ start: iso(TODAY - 100), interval: 'PT1H' })).toEqual([
      400,
      expect.stringContaining('(max 2000)'),
    ]);
    expect((await refusal({ by: ['os', 'model', 'version'] }))[0]).toBe(400);
    expect((await refusal({ by: 'colour' }))[0]).toBe(400);
    expect((await refusal({ measure: 'money' }))[0]).toBe(400);
    const funnel = async (steps: object[]) => (await call('POST', 'funnel', { start, steps })).statusCode;
    expect(await funnel([{ event: 'a' }])).toBe(400);
    expect(await funnel([{ event: 'a' }, { event: 'b', property: 'p' }])).toBe(400);
    expect(await funnel(Array.from({ length: 11 }, () => ({ event: 'a' })))).toBe(400);
    expect((await answer('event_logs', { start, value: 'x' })).statusCode).toBe(400);
  });

  test('returns single logs with all fields, in pages', async () => {
    const { open } = await withApps(dialect);
    const { get, send, compact } = await open();
    const [plan, sid] = [{ plan: "it's | odd" }, randomUUID()];
    await send(
      ann,
      event('buy', { sid, userId: 'u 1', properties: plan }, NOW - 2000),
      log('page', NOW - 1000, { sid, name: 'Cart' }),
    );
    await send(bob, event('buy', { device: { ...phone, carrierName: 'Tele' } }, NOW - 3000));
    await compact();
    const find = (query: Record<string, string | number>) => get('event_logs', { start: iso(TODAY), ...query });
    const { logs, has_more } = await find({ $top: 2 });
    expect([logs.map((each: { name: string }) => each.name), has_more]).toEqual([['Cart', 'buy'], true]);
    expect(logs[1]).toMatchObject({
      type: 'event',
      timestamp: time(NOW - 2000),
      install_id: ann,
      user_id: 'u 1',
      session_id: logs[0].session_id,
      properties: plan,
      device: { app_version: '1.0', os: 'iOS 18', language: 'de-DE', carrier: 'unknown' },
    });
    const rest = await find({ $top: 2, $skip: 2 });
    expect([rest.logs.length, rest.has_more]).toEqual([1, false]);
    for (const [query, found] of [
      [{ install_id: ann.toUpperCase() }, 2],
      [{ user_id: 'u 1' }, 1],
      [{ session_id: logs[0].session_id }, 2],
      // IDs match in any case, as SDKs write them.
      [{ session_id: sid.toUpperCase() }, 2],
      [{ session_id: sid, install_id: bob }, 0],
      [{ session_id: "'; --" }, 0],
      [{ property: 'plan' }, 1],
      [{ property: 'plan', value: "it's | odd" }, 1],
      [{ property: 'plan', value: 'other' }, 0],
      [{ carriers: 'Tele' }, 1],
      [{ end: time(NOW - 2500) }, 1],
    ] as const) {
      expect([query, (await find(query)).logs.length]).toEqual([query, found]);
    }
  });

  test('saves charts for all users, changed by developers, up to a limit', async () => {
    const { app, open } = await withApps(dialect, { analyticsCharts: 2 });
    const { call, ref } = await open();
    const chart = { kind: 'funnel', days: 7, steps: [{ event: 'a' }, { event: 'b' }] };
    const made = await call('POST', 'charts', { name: 'Way', question: chart });
    expect([made.statusCode, made.json()]).toEqual([
      201,
      { id: expect.any(String), name: 'Way', question: chart, changed_at: time(NOW) },
    ]);
    const { id } = made.json();
    const changed = { name: 'Return', question: { kind: 'retention', days: 28, interval: 'P1W' } };
    expect((await call('PUT', `charts/${id}`, changed)).json()).toMatchObject(changed);
    expect((await call('POST', 'charts', { name: 'Bad', question: { kind: 'pie', days: 3 } })).statusCode).toBe(400);
    expect((await call('POST', 'charts', { name: ' ', question: chart })).statusCode).toBe(400);
    expect((await call('POST', 'charts', { name: 'Another', question: chart })).statusCode).toBe(201);
    const more = await call('POST', 'charts', { name: 'Third', question: chart });
    expect([more.statusCode, more.json().error.message]).toEqual([
      409,
      'An app can have at most 2 charts. Delete one first.',
    ]);
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'viewer');
    const asGrace = await app.userToken(grace);
    const listed = await call('GET', 'charts', undefined, asGrace);
    expect(listed.json().values.map(({ name }: { name: string }) => name)).toEqual(['Another', 'Return']);
    expect((await call('DELETE', `charts/${id}`, undefined, asGrace)).statusCode).toBe(403);
    expect((await call('DELETE', `charts/${id}`)).statusCode).toBe(204);
    expect((await call('PUT', `charts/${id}`, changed)).statusCode).toBe(404);
    expect((await call('DELETE', `charts/${id}`)).statusCode).toBe(404);
  });

  test('refuses a chart beyond the limit, also when two are saved concurrently', async () => {
    const { app, open } = await withApps(dialect, { analyticsCharts: 1 });
    const { call } = await open();
    const chart = { kind: 'retention', days: 28, interval: 'P1W' };
    const save = (name: string) => () => call('POST', 'charts', { name, question: chart });
    const responses = await atOnce(app, [save('One'), save('Two')]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 409]);
  });
});
