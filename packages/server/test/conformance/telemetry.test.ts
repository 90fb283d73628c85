import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/kernel/log.ts';
import { createClickhouseEngine } from '../../src/telemetry/clickhouse/index.ts';
import { createDuckdbEngine } from '../../src/telemetry/duckdb/index.ts';
import type { DeviceFilter, Engine, Part, TelemetryQuery } from '../../src/telemetry/index.ts';
import { copyWithoutColumns } from '../harness/references/parquet.ts';
import { countPlainly, type PlainLog, toWire, withoutRepeats } from '../harness/references/reference-counting.ts';
import { hasClickhouse, type RunningClickhouse, startClickhouse } from '../harness/services/clickhouse.ts';
import { hasCluster, type RunningCluster, startCluster } from '../harness/services/clickhouse-cluster.ts';

interface Opened {
  engine: Engine;
  folder: string;
}

function openFolder() {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-telemetry-'));
  const folder = path.join(root, 'files');
  mkdirSync(folder);
  const log = createLog('silent');
  const duckdb = createDuckdbEngine({ folder: root, memoryMb: 256, threads: 2, timeoutSeconds: 60, log });
  onTestFinished(async () => {
    await duckdb.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { duckdb, folder, log };
}

function openDuckdb(): Opened {
  const { duckdb, folder } = openFolder();
  return { engine: duckdb, folder };
}

let server: RunningClickhouse | undefined;
let cluster: RunningCluster | undefined;
afterAll(async () => {
  await server?.remove();
  await cluster?.remove();
});

function openShards(shards: URL[][]): Opened {
  const { duckdb, folder, log } = openFolder();
  const engine = createClickhouseEngine(duckdb, { shards, memoryMb: 512, timeoutSeconds: 60, log });
  onTestFinished(() => engine.close());
  return { engine, folder };
}

/** One server for all tests, because IDs of parts are unique. */
async function openClickhouse(): Promise<Opened> {
  server ??= await startClickhouse();
  return openShards([[server.url]]);
}

let apps = 0;

/** Two shards with two replicas each; every test has its own app. */
async function openCluster(): Promise<Opened> {
  cluster ??= await startCluster(2);
  const { engine, folder } = openShards(cluster.shards.map((replicas) => replicas.map(({ url }) => url)));
  apps += 1;
  const appId = `app ${apps}`;
  const query: Engine['query'] = (question, parts) => {
    const ofApp = parts.map((part) => ({ ...part, appId }));
    return engine.query(question, ofApp);
  };
  return { engine: { ...engine, query }, folder };
}

const SEVERAL = 'clickhouse with shards and replicas';
const engines: Record<string, () => Opened | Promise<Opened>> = {
  duckdb: openDuckdb,
  ...(hasClickhouse ? { clickhouse: openClickhouse } : {}),
  ...(hasCluster ? { [SEVERAL]: openCluster } : {}),
};

const DAY = 86_400_000;
/** Some Sunday. */
const TODAY = 20_400;

/** Files of each day, as compaction keeps them: later logs have their own parts. */
async function keep({ engine, folder }: Opened, ...arrivals: PlainLog[][]): Promise<Map<number, Part[]>> {
  const days = new Map<number, Part[]>();
  for (const logs of arrivals) {
    const staged = await engine.stage(
      logs.map((log) => ({ installId: log.install, logs: [{ at: log.at, value: toWire(log) }] })),
    );
    for (const { day } of staged.days) {
      const parts = days.get(day) ?? [];
      const part = await staged.write(day, parts, folder);
      days.set(day, part ? [...parts, part.files] : parts);
    }
    await staged.release();
  }
  return days;
}

const everything = (days: Map<number, Part[]>): Part[] => [...days.values()].flat();

const ann = '11111111-1111-4111-8111-111111111111';
const bob = '22222222-2222-4222-8222-222222222222';

const phone = { version: '1.0', build: '10', model: 'Pixel 7', os: ['Android', '14'], locale: 'en_US' } as const;
function log(type: string, at: number, fields: Partial<PlainLog> = {}): PlainLog {
  return { ...phone, os: [...phone.os], type, at, install: ann, ...fields };
}
const at = (day: number, seconds = 0): number => (TODAY + day) * DAY + seconds * 1000;
const range = { from: TODAY, to: TODAY + 2 };

/** Small data sets with frequent special cases: repeats, sessions past midnight, lost starts, changed devices. */
const logs = fc.array(
  fc.record(
    {
      type: fc.constantFrom(
        'startSession',
        'event',
        'event',
        'event',
        'page',
        'startService',
        'managedError',
        'distributionStartSession',
        'customProperties',
      ),
      at: fc.integer({ min: (TODAY - 30) * 24, max: (TODAY + 3) * 24 - 1 }).map((hour) => hour * 3_600_000),
      install: fc.constantFrom(ann, bob, '33333333-3333-4333-8333-333333333333', 'not a uuid'),
      sid: fc.constantFrom('a', 'b', 'c', 'd', 'e', undefined),
      id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', undefined),
      name: fc.constantFrom('checkout', "it's", 'größe/ж', ''),
      properties: fc.dictionary(
        fc.constantFrom('plan', "o'p", '__proto__', 'größe'),
        fc.constantFrom('a', 'b', '', '0'),
        {
          maxKeys: 3,
        },
      ),
      version: fc.constantFrom('1.0', '1.1', '2.0'),
      build: fc.constantFrom('10', '11'),
      country: fc.constantFrom('de', 'DE', 'us', undefined),
      model: fc.constantFrom('Pixel 7', 'iPhone 15'),
      os: fc.constantFrom<[string, string]>(['Android', '14'], ['iOS', '18.1']),
      locale: fc.constantFrom('en_US', 'en-US', 'de_DE'),
      carrier: fc.constantFrom('A', 'B', undefined),
      api: fc.constantFrom(9, 34, undefined),
      custom: fc.array(
        fc.record(
          {
            type: fc.constantFrom('number', 'string', 'clear'),
            name: fc.constantFrom('age', 'plan'),
            value: fc.constantFrom(1, 10),
          },
          { noNullPrototype: true },
        ),
        { maxLength: 1 },
      ),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 60 },
);

/** As a device sends it: without missing names and undefined values. */
const tidy = ({ name, properties, id, sid, country, carrier, api, custom = [], ...rest }: PlainLog): PlainLog => ({
  ...rest,
  ...(carrier === undefined ? {} : { carrier }),
  ...(api === undefined ? {} : { api }),
  ...(rest.type === 'customProperties'
    ? {
        custom: custom.map(({ type, name, value }) =>
          type === 'clear' ? { type, name } : { type, name, value: type === 'string' ? String(value) : (value ?? 0) },
        ),
      }
    : {}),
  ...(sid === undefined ? {} : { sid }),
  ...(country === undefined ? {} : { country }),
  ...((rest.type === 'event' || rest.type === 'managedError') && id !== undefined ? { id } : {}),
  ...(rest.type === 'event' || rest.type === 'page' ? { name: name ?? '', properties: { ...properties } } : {}),
});

const filters = fc.constantFrom(
  {},
  { version: ['1.0'] },
  { version: ['1.0', '2.0'], country: ['DE'] },
  { os: ['iOS 18.1'] },
  { build: ['none'] },
);

const listQuestions = (filter: TelemetryQuery['filter'], days: { from: number; to: number }): TelemetryQuery[] => [
  { kind: 'activeDevices', range: days, filter },
  ...[1, 2, 7].map((bucketDays) => ({ kind: 'usage', range: days, filter, bucketDays }) as const),
  { kind: 'sessionDurations', range: days, filter },
  { kind: 'crashes', range: days, filter },
  ...(['version', 'build', 'country', 'model', 'os', 'language'] as const).map(
    (dimension) => ({ kind: 'devicesBy', range: days, filter, dimension, limit: 0 }) as const,
  ),
  { kind: 'devicesBy', range: days, filter, dimension: 'model', limit: 1 },
  ...(
    ['name', 'count', 'previousCount', 'devices', 'previousDevices', 'countPerDevice', 'countPerSession'] as const
  ).flatMap((order) =>
    [true, false].map(
      (isDescending) =>
        ({ kind: 'events', range: days, filter, names: [], order, isDescending, skip: 0, limit: 0 }) as const,
    ),
  ),
  {
    kind: 'events',
    range: days,
    filter,
    names: ["it's", 'none'],
    order: 'count',
    isDescending: true,
    skip: 0,
    limit: 0,
  },
  { kind: 'events', range: days, filter, names: [], order: 'count', isDescending: true, skip: 1, limit: 1 },
  ...["it's", 'größe/ж', '', 'none'].flatMap((name): TelemetryQuery[] => [
    { kind: 'eventByDay', range: days, filter, name },
    { kind: 'eventProperties', range: days, filter, name },
    ...['plan', "o'p", '__proto__', 'none'].map(
      (property) => ({ kind: 'propertyValues', range: days, filter, name, property, limit: 0 }) as const,
    ),
  ]),
  ...exploring(filter, days),
];

const audience = fc.letrec<{ node: DeviceFilter; part: DeviceFilter }>((tie) => ({
  node: fc.oneof(
    tie('part'),
    fc.record({ kind: fc.constantFrom('and', 'or'), nodes: fc.array(tie('part'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not'), node: tie('part') }),
  ) as fc.Arbitrary<DeviceFilter>,
  part: fc.oneof(
    fc.record({
      kind: fc.constant('compare'),
      property: fc.constantFrom('version', 'osVersion'),
      operator: fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
      value: fc.constantFrom('1.0', '1.1', '2', '14', 'x'),
    }),
    fc.record({
      kind: fc.constant('compare'),
      property: fc.constantFrom('country', 'carrier', 'language', 'model'),
      operator: fc.constantFrom('eq', 'ne'),
      value: fc.constantFrom('DE', 'A', 'en-US', 'Pixel 7', 'unknown'),
    }),
    fc.record({
      kind: fc.constant('compare'),
      property: fc.constantFrom('apiLevel', 'custom:number:age'),
      operator: fc.constantFrom('eq', 'ne', 'lt', 'ge'),
      value: fc.constantFrom(9, 10),
    }),
    fc.record({
      kind: fc.constant('compare'),
      property: fc.constant('custom:string:plan'),
      operator: fc.constantFrom('eq', 'ne'),
      value: fc.constantFrom('1', '10'),
    }),
  ) as fc.Arbitrary<DeviceFilter>,
})).node;

/** Queries beyond those of existing clients; the audiences differ each time. */
function exploring(filter: TelemetryQuery['filter'], days: { from: number; to: number }): TelemetryQuery[] {
  const times = { from: days.from * DAY + 3_600_000, to: (days.to + 1) * DAY - 7_200_000 };
  const counted = { kind: 'breakdown', range: days, filter, times, event: undefined, limit: 0 } as const;
  const [a, b] = ["it's", 'checkout'].map((name) => ({ name }));
  const steps = a && b ? [a, b] : [];
  return [
    { kind: 'audiences', range: days, filter: {}, audiences: fc.sample(audience, 5) },
    { kind: 'customProperties', range: days, filter: {} },
    { kind: 'deviceValues', range: days, filter: {}, property: 'model', contains: 'PIX', limit: 0 },
    { kind: 'deviceValues', range: days, filter: {}, property: 'country', contains: '', limit: 1 },
    ...(['devices', 'sessions', 'events', 'crashes'] as const).flatMap((measure): TelemetryQuery[] => [
      { ...counted, measure, by: [], bucketMs: 3_600_000 },
      { ...counted, measure, by: ['version'], bucketMs: DAY },
      { ...counted, measure, by: ['country', 'carrier'], bucketMs: 0, limit: 2 },
    ]),
    { ...counted, measure: 'events', event: "it's", by: [{ property: 'plan' }, 'os'], bucketMs: 7 * DAY },
    { ...counted, measure: 'devices', event: 'checkout', by: [{ property: '__proto__' }], bucketMs: 0 },
    { ...counted, measure: 'sessions', event: 'checkout', by: [], bucketMs: 0 },
    ...[1, 3_600_000, 30 * DAY].map((withinMs) => ({ kind: 'funnel', range: days, filter, steps, withinMs }) as const),
    { kind: 'funnel', range: days, filter, steps: [...steps, ...steps, { name: '' }], withinMs: 3 * DAY },
    {
      kind: 'funnel',
      range: days,
      filter,
      steps: [{ name: "it's", property: { name: 'plan', value: 'a' } }, { name: "it's" }],
      withinMs: DAY,
    },
    { kind: 'retention', range: days, filter, bucketDays: 1, since: days.from - 20 },
    { kind: 'retention', range: days, filter, bucketDays: 2, since: days.from },
    { kind: 'sessionPaths', range: days, filter, start: undefined, length: 3, limit: 0 },
    { kind: 'sessionPaths', range: days, filter, start: "it's", length: 2, limit: 2 },
  ];
}

describe.each(Object.keys(engines))('telemetry in %s', (kind) => {
  const open = async (): Promise<Opened> => (await engines[kind]?.()) as Opened;

  test('returns complete results with zeros without any parts', async () => {
    const { engine } = await open();
    expect(await engine.query({ kind: 'activeDevices', range, filter: {} }, [])).toEqual({
      daily: [0, 0, 0],
      weekly: [0, 0, 0],
      monthly: [0, 0, 0],
    });
    const questionByKind = new Map(listQuestions({}, range).map((question) => [question.kind, question]));
    for (const question of questionByKind.values()) {
      expect(await engine.query(question, [])).toEqual(countPlainly([])(question));
    }
  });

  test('counts a device once on each day, and in the 7 and 28 days that end with it', async () => {
    const opened = await open();
    const days = await keep(opened, [
      log('startSession', at(-27), { sid: 'old' }),
      log('event', at(-6), { install: bob, id: '1', name: 'open' }),
      log('event', at(0), { id: '2', name: 'open' }),
      log('page', at(0, 60), { sid: 's', name: 'Cart' }),
      log('startService', at(1)),
    ]);
    expect(await opened.engine.query({ kind: 'activeDevices', range, filter: {} }, everything(days))).toEqual({
      daily: [1, 0, 0],
      weekly: [2, 1, 1],
      monthly: [2, 2, 2],
    });
  });

  test('reads files of an earlier version without a column', async () => {
    const opened = await open();
    const days = await keep(opened, [log('event', at(0), { id: '1', name: 'open' })]);
    const [part] = everything(days);
    if (!part) throw new Error('no part was written');
    const devices = path.join(opened.folder, 'earlier.devices.parquet');
    await copyWithoutColumns(part.devices, devices, ['carrier', 'last']);
    const question = { kind: 'devicesBy', range, filter: {}, dimension: 'carrier', limit: 5 } as const;
    expect(await opened.engine.query(question, [{ ...part, devices }])).toEqual({
      total: 1,
      rows: [{ value: 'unknown', count: 1, previous: 0 }],
    });
  });

  test('counts a session on the day of its start, with its duration past midnight', async () => {
    const opened = await open();
    const days = await keep(opened, [
      log('startSession', at(1, -20), { sid: 's' }),
      log('event', at(1, 25), { sid: 's', id: '1', name: 'open' }),
      log('startSession', at(1), { sid: 'alone' }),
      log('event', at(2), { sid: 'no start', id: '2', name: 'open' }),
    ]);
    const parts = everything(days);
    expect(await opened.engine.query({ kind: 'usage', range, filter: {}, bucketDays: 1 }, parts)).toMatchObject({
      sessions: [1, 1, 1],
    });
    expect(await opened.engine.query({ kind: 'sessionDurations', range, filter: {} }, parts)).toEqual({
      bands: [0, 0, 1, 0, 0, 0],
      sessions: 1,
      totalMs: 45_000,
    });
  });

  test('skips a repeated log, in the same batch and in a later one', async () => {
    const opened = await open();
    const event = log('event', at(0), { id: 'A', name: 'open' });
    const start = log('startSession', at(0), { sid: 's' });
    const days = await keep(opened, [event, start, event], [start, event], [{ ...event, install: bob }]);
    expect(days.get(TODAY)).toHaveLength(2);
    expect(
      await opened.engine.query({ kind: 'eventByDay', range, filter: {}, name: 'open' }, everything(days)),
    ).toMatchObject({ total: { count: 2, devices: 2 } });
  });

  test('distinguishes logs without an ID by their content', async () => {
    const opened = await open();
    const one = log('event', at(0), { name: 'open' });
    const days = await keep(opened, [one, { ...one, name: 'close' }, one, { ...one, at: at(0, 1) }]);
    expect(
      await opened.engine.query(
        { kind: 'events', range, filter: {}, names: [], order: 'name', isDescending: false, skip: 0, limit: 0 },
        everything(days),
      ),
    ).toMatchObject({
      total: 2,
      rows: [
        { name: 'close', count: 1 },
        { name: 'open', count: 2 },
      ],
    });
  });

  test('merged parts return the same results, and detect duplicates until they are sealed', async () => {
    const opened = await open();
    const first = log('event', at(0), { id: '1', name: 'open', sid: 's' });
    const days = await keep(
      opened,
      [first],
      [log('startSession', at(0, -1), { sid: 's' }), log('event', at(0), { id: '2', name: 'open' })],
    );
    const parts = days.get(TODAY) ?? [];
    const merged = await opened.engine.merge(TODAY, parts, opened.folder);
    const sealed = await opened.engine.merge(TODAY, parts, opened.folder, { isSealed: true });
    for (const question of new Map(listQuestions({}, range).map((question) => [question.kind, question])).values()) {
      const answer = await opened.engine.query(question, everything(days));
      expect(
        await opened.engine.query(question, [...(days.get(TODAY - 1) ?? []), ...(merged ? [merged.files] : [])]),
      ).toEqual(answer);
      expect(
        await opened.engine.query(question, [...(days.get(TODAY - 1) ?? []), ...(sealed ? [sealed.files] : [])]),
      ).toEqual(answer);
    }
    const again = await opened.engine.stage([{ installId: ann, logs: [{ at: first.at, value: toWire(first) }] }]);
    expect(await again.write(TODAY, merged ? [merged.files] : [], opened.folder)).toBeUndefined();
    await again.release();
  });

  test('skips logs that a sealed part contains, with any ID, and adds others', async () => {
    const opened = await open();
    const first = log('event', at(0), { id: '1', name: 'open', sid: 's' });
    const twin = log('event', at(0), { id: '2', name: 'open', sid: 's' });
    const [crashed, paged] = [log('managedError', at(0, 1), { sid: 's' }), log('page', at(0, 2), { name: 'home' })];
    const days = await keep(opened, [first, twin, crashed, paged]);
    const sealed = await opened.engine.merge(TODAY, days.get(TODAY) ?? [], opened.folder, { isSealed: true });
    const parts = sealed ? [sealed.files] : [];
    const write = async (...logs: PlainLog[]) => {
      const staged = await opened.engine.stage(
        logs.map((one) => ({ installId: one.install, logs: [{ at: one.at, value: toWire(one) }] })),
      );
      const written = await staged.write(TODAY, parts, opened.folder, { hasSealed: true });
      await staged.release();
      return written?.rows ?? 0;
    };
    expect(await write(first, twin, crashed, paged, { ...first, id: '3' })).toBe(0);
    const others = [
      { ...first, install: bob },
      { ...first, sid: 't' },
      { ...first, name: 'close' },
      { ...first, at: at(0, 3) },
      { ...first, type: 'page' },
    ];
    for (const other of others) expect(await write(first, other)).toBe(1);
  });

  test('excludes an erased event immediately and when parts are merged, but keeps its device', async () => {
    const opened = await open();
    const first = log('event', at(0), { id: '1', name: "it's", sid: 's', properties: { plan: 'a' } });
    const days = await keep(opened, [
      first,
      log('event', at(0), { id: '2', name: 'open', install: bob }),
      log('page', at(0), { name: "it's", sid: 's' }),
    ]);
    const marked = everything(days).map(
      (part): Part => ({ ...part, erasures: ["it's", 'none'].map((value) => ({ kind: 'event', value })) }),
    );
    const later = await keep(opened, [log('event', at(1), { id: '3', name: "it's" })]);
    const merged = await opened.engine.merge(TODAY, marked, opened.folder);
    const all = { range, filter: {}, names: [], order: 'name', isDescending: false, skip: 0, limit: 0 } as const;
    for (const parts of [marked, merged ? [merged.files] : []]) {
      const with_ = [...parts, ...everything(later)];
      expect((await opened.engine.query({ kind: 'events', ...all }, parts)).rows.map(({ name }) => name)).toEqual([
        'open',
      ]);
      expect(await opened.engine.query({ kind: 'events', ...all }, with_)).toMatchObject({
        rows: [
          { name: "it's", count: 1 },
          { name: 'open', count: 1 },
        ],
      });
      expect(await opened.engine.query({ kind: 'eventProperties', range, filter: {}, name: "it's" }, with_)).toEqual(
        [],
      );
      const { daily } = await opened.engine.query({ kind: 'activeDevices', range, filter: {} }, parts);
      expect(daily).toEqual([2, 0, 0]);
      const { sessions } = await opened.engine.query({ kind: 'usage', range, filter: {}, bucketDays: 1 }, parts);
      expect(sessions).toEqual([1, 0, 0]);
      const again = await opened.engine.stage([{ installId: ann, logs: [{ at: first.at, value: toWire(first) }] }]);
      expect(await again.write(TODAY, parts, opened.folder)).toBeUndefined();
      await again.release();
    }
  });

  test('counts all other logs if one has unusual content', async () => {
    const opened = await open();
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('\u0000', '\ud800', "'; DROP TABLE x; --", 'x'.repeat(2_000_000), '\u2028', '', {}),
    );
    const texts = { name: odd, id: odd, sid: odd, userId: odd, timestamp: odd, properties: odd, typedProperties: odd };
    const device = fc.record({
      appVersion: odd,
      appBuild: odd,
      carrierCountry: odd,
      model: odd,
      osName: odd,
      locale: odd,
    });
    const type = fc.constantFrom('event', 'page', 'startSession', 'startService', 'customProperties', 'appleError');
    const oddLogs = fc.sample(
      fc.record({ type, ...texts, device: fc.oneof(device, odd) }, { noNullPrototype: true }),
      300,
    );
    const good = log('event', at(0), { id: 'good', name: 'open' });
    const staged = await opened.engine.stage([
      { installId: '\u0000', logs: oddLogs.map((value) => ({ at: at(0), value })) },
      { installId: ann, logs: [{ at: good.at, value: toWire(good) }] },
    ]);
    const part = await staged.write(TODAY, [], opened.folder);
    await staged.release();
    const parts = part ? [part.files] : [];
    const days = { kind: 'eventByDay', range, filter: {}, name: 'open' } as const;
    expect((await opened.engine.query(days, parts)).total.count).toBeGreaterThanOrEqual(1);
    for (const question of listQuestions({}, range)) await opened.engine.query(question, parts);
  });

  test('excludes erased data of a user immediately from every kind of file, permanently', async () => {
    const opened = await open();
    const sent = [
      log('startSession', at(0), { sid: 's', user: 'u' }),
      log('event', at(0), { sid: 't', id: '1', name: 'open', user: 'u' }),
      log('event', at(0), { sid: 's', id: '2', name: 'open', user: 'v', install: bob }),
      log('event', at(1), { id: '3', name: 'open' }),
    ];
    const days = await keep(opened, sent);
    const marked = (day: number): Part[] =>
      (days.get(day) ?? []).map((part) => ({ ...part, erasures: [{ kind: 'user', value: 'u' }] }));
    const merged = await opened.engine.merge(TODAY, marked(TODAY), opened.folder);
    const count = countPlainly(sent.filter(({ user }) => user !== 'u'));
    for (const today of [marked(TODAY), merged ? [merged.files] : []]) {
      for (const question of listQuestions({}, range)) {
        const answer = await opened.engine.query(question, [...today, ...(days.get(TODAY + 1) ?? [])]);
        expect({ question, answer }).toEqual({ question, answer: count(question) });
      }
    }
  });

  test('finds logs by their content, newest first', async () => {
    const opened = await open();
    const sent = [
      log('event', at(0, 1), { id: '1', name: 'buy', sid: 's', properties: { plan: 'pro' }, user: 'u' }),
      log('event', at(0, 2), {
        id: '2',
        name: 'buy',
        install: bob,
        properties: { plan: 'free' },
        api: 34,
        oem: 'Google',
      }),
      log('page', at(1), { sid: 's', name: 'Cart' }),
      log('startSession', at(0), { sid: 's' }),
    ];
    const parts = everything(await keep(opened, sent));
    const all = { name: undefined, install: undefined, user: undefined, session: undefined, property: undefined };
    const days = {
      kind: 'logSearch',
      range,
      filter: {},
      times: { from: at(0), to: at(2) },
      skip: 0,
      limit: 100,
      ...all,
    } as const;
    for (const more of [
      {},
      { name: 'buy' },
      { install: bob },
      { user: 'u' },
      { property: { name: 'plan', value: undefined } },
      { property: { name: 'plan', value: 'free' } },
      { skip: 1, limit: 1 },
      { times: { from: at(0, 1), to: at(0, 2) } },
      { filter: { version: ['none'] } },
    ]) {
      const question: TelemetryQuery = { ...days, ...more };
      const found = await opened.engine.query(question, parts);
      expect(found.map((each) => ({ ...each, session: undefined }))).toEqual(countPlainly(sent)(question));
    }
    const [page] = await opened.engine.query(days, parts);
    const same = await opened.engine.query({ ...days, session: page?.session }, parts);
    expect(same.map(({ name }) => name)).toEqual(['Cart', 'buy']);
  });

  test("lists logs of a device's session up to a time, newest first", async () => {
    const opened = await open();
    const parts = everything(
      await keep(opened, [
        log('startSession', at(0), { sid: 's' }),
        log('event', at(0, 5), { sid: 's', id: '1', name: 'buy' }),
        log('event', at(0, 5), { sid: 's', id: '1', name: 'buy', install: bob }),
        log('managedError', at(0, 6), { sid: 's', id: 'CRASH' }),
        log('event', at(0, 7), { sid: 's', id: '2', name: 'after' }),
        log('event', at(0, 1), { sid: 'other', id: '3', name: 'elsewhere' }),
      ]),
    );
    const days = { kind: 'sessionLogs', range, filter: {}, install: ann, until: at(0, 6), limit: 2 } as const;
    const found = await opened.engine.query({ ...days, session: 'S' }, parts);
    expect(found.map(({ type, name }) => [type, name])).toEqual([
      ['crash', undefined],
      ['event', 'buy'],
    ]);
    expect(await opened.engine.query({ ...days, session: 'none' }, parts)).toEqual([]);
  });

  test('an audience matches current devices: versions by number, custom properties by type', async () => {
    const opened = await open();
    const sent = [
      log('event', at(0), { id: '1', name: 'a', version: '1.9', api: 34, carrier: 'A' }),
      log('event', at(1), { id: '2', name: 'a', version: '1.10', api: 9, carrier: 'B' }),
      log('event', at(0), { id: '1', name: 'a', install: bob, version: '1.10-beta', country: 'de' }),
      log('customProperties', at(0), {
        custom: [
          { type: 'number', name: 'age', value: 30 },
          { type: 'boolean', name: 'is paying', value: true },
          { type: 'dateTime', name: 'since', value: '2020-05-06T07:08:09Z' },
          { type: 'string', name: 'plan', value: 'pro' },
        ],
      }),
      log('customProperties', at(1), { custom: [{ type: 'clear', name: 'plan' }] }),
    ];
    const parts = everything(await keep(opened, sent));
    const is = (property: string, operator: string, value: string | number | boolean) =>
      ({ kind: 'compare', property, operator, value }) as DeviceFilter;
    const [ours, may] = [is('version', 'gt', '1.9'), Date.parse('2020-05-06T07:08:09Z')];
    const audiences = [
      [ours, 2],
      [is('version', 'ge', '1.10'), 1],
      [is('version', 'lt', '1.10.0'), 1],
      [is('version', 'eq', '1.9'), 0],
      [is('apiLevel', 'lt', 10), 1],
      [is('apiLevel', 'ge', 10), 0],
      [is('carrier', 'eq', 'B'), 1],
      [is('country', 'ne', 'DE'), 1],
      [is('osVersion', 'eq', '14'), 2],
      [is('custom:number:age', 'ge', 30), 1],
      [is('custom:number:age', 'ne', 30), 1],
      [is('custom:boolean:is paying', 'eq', true), 1],
      [is('custom:date_time:since', 'le', may), 1],
      [is('custom:date_time:since', 'lt', may), 0],
      [is('custom:string:plan', 'eq', 'pro'), 0],
      [is('custom:string:nobody: knows it', 'eq', 'pro'), 0],
      [{ kind: 'and', nodes: [ours, { kind: 'not', node: is('custom:number:age', 'eq', 30) }] }, 1],
    ] satisfies [DeviceFilter, number][];
    expect(
      await opened.engine.query(
        { kind: 'audiences', range, filter: {}, audiences: audiences.map(([node]) => node) },
        parts,
      ),
    ).toEqual({ total: 2, counts: audiences.map(([, count]) => count) });
    expect(await opened.engine.query({ kind: 'customProperties', range, filter: {} }, parts)).toEqual([
      { name: 'age', type: 'number' },
      { name: 'is paying', type: 'boolean' },
      { name: 'plan', type: 'string' },
      { name: 'since', type: 'date_time' },
    ]);
  });

  test('omits an erased device from rewritten files', async () => {
    const opened = await open();
    const days = await keep(opened, [
      log('startSession', at(0), { sid: 's' }),
      log('startSession', at(0), { sid: 's', install: bob }),
    ]);
    const marked = (parts: Part[], value: string): Part[] =>
      parts.map((part) => ({ ...part, erasures: [{ kind: 'install', value }] }));
    const merge = (parts: Part[], install: string) => opened.engine.merge(TODAY, marked(parts, install), opened.folder);
    expect(
      await opened.engine.query({ kind: 'usage', range, filter: {}, bucketDays: 3 }, marked(everything(days), bob)),
    ).toEqual({ devices: [1], sessions: [1] });
    const left = await merge(everything(days), bob.toUpperCase());
    const parts = left ? [left.files] : [];
    expect(await opened.engine.query({ kind: 'usage', range, filter: {}, bucketDays: 3 }, parts)).toEqual({
      devices: [1],
      sessions: [1],
    });
    expect(await merge(parts, ann)).toBeUndefined();
  });

  test('counts logs in any order and with any repeats like plain code', {
    timeout: 180_000,
  }, async () => {
    const opened = await open();
    await fc.assert(
      fc.asyncProperty(
        logs,
        fc.array(fc.nat({ max: 59 }), { maxLength: 10 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 2 }).chain((length) =>
          filters.chain((filter) =>
            fc.shuffledSubarray(listQuestions(filter, { from: TODAY - length, to: TODAY + 1 }), {
              minLength: 6,
              maxLength: 6,
            }),
          ),
        ),
        async (drawn, repeats, size, questions) => {
          const sent = drawn.map((each) => tidy(each as PlainLog));
          sent.push(...repeats.flatMap((which) => sent[which] ?? []));
          const arrivals = [sent.slice(0, size * 8), sent.slice(size * 8)];
          const days = await keep(opened, ...arrivals);
          const distinctLogs = withoutRepeats(...arrivals);
          const count = countPlainly(distinctLogs);
          for (const question of questions) {
            expect({ question, answer: await opened.engine.query(question, everything(days)) }).toEqual({
              question,
              answer: count(question),
            });
          }
        },
      ),
      // With several servers, the SQL is the same.
      { numRuns: kind === SEVERAL ? 10 : 30 },
    );
  });
});
