import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/kernel/log.ts';
import { createDuckdbEngine } from '../../src/telemetry/duckdb/index.ts';
import type { Engine, Part, Question } from '../../src/telemetry/index.ts';
import { countPlainly, type PlainLog, toWire, withoutRepeats } from '../harness/plain-counting.ts';

interface Opened {
  engine: Engine;
  folder: string;
}

function openDuckdb() {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-telemetry-'));
  const folder = path.join(root, 'files');
  mkdirSync(folder);
  const log = createLog('silent');
  const engine = createDuckdbEngine({ folder: root, memoryMb: 256, threads: 2, timeoutSeconds: 60, log });
  onTestFinished(async () => {
    await engine.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { engine, folder };
}

const engines: Record<string, () => Opened> = { duckdb: openDuckdb };

const DAY = 86_400_000;
/** Some Sunday. */
const TODAY = 20_400;

/** What is in the files of each day, as compaction keeps them: logs that came later are parts of their own. */
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

/** Small worlds in which everything that matters happens often: repeats, sessions over midnight, lost starts, changed devices. */
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
    },
    { noNullPrototype: true },
  ),
  { maxLength: 60 },
);

/** As a device would say it: no name where there is none, nothing that is undefined. */
const tidy = ({ name, properties, id, sid, country, ...rest }: PlainLog & { sid: string | undefined }): PlainLog => ({
  ...rest,
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

const questionsOf = (filter: Question['filter'], asked: { from: number; to: number }): Question[] => [
  { ask: 'activeDevices', range: asked, filter },
  ...[1, 2, 7].map((bucketDays) => ({ ask: 'usage', range: asked, filter, bucketDays }) as const),
  { ask: 'sessionDurations', range: asked, filter },
  { ask: 'crashes', range: asked, filter },
  ...(['version', 'build', 'country', 'model', 'os', 'language'] as const).map(
    (dimension) => ({ ask: 'devicesBy', range: asked, filter, dimension, limit: 0 }) as const,
  ),
  { ask: 'devicesBy', range: asked, filter, dimension: 'model', limit: 1 },
  ...(
    ['name', 'count', 'previousCount', 'devices', 'previousDevices', 'countPerDevice', 'countPerSession'] as const
  ).flatMap((order) =>
    [true, false].map(
      (isDescending) =>
        ({ ask: 'events', range: asked, filter, names: [], order, isDescending, skip: 0, limit: 0 }) as const,
    ),
  ),
  {
    ask: 'events',
    range: asked,
    filter,
    names: ["it's", 'none'],
    order: 'count',
    isDescending: true,
    skip: 0,
    limit: 0,
  },
  { ask: 'events', range: asked, filter, names: [], order: 'count', isDescending: true, skip: 1, limit: 1 },
  ...["it's", 'größe/ж', '', 'none'].flatMap((name): Question[] => [
    { ask: 'eventByDay', range: asked, filter, name },
    { ask: 'eventProperties', range: asked, filter, name },
    ...['plan', "o'p", '__proto__', 'none'].map(
      (property) => ({ ask: 'propertyValues', range: asked, filter, name, property, limit: 0 }) as const,
    ),
  ]),
];

describe.each(Object.keys(engines))('telemetry in %s', (kind) => {
  const open = (): Opened => engines[kind]?.() as Opened;

  test('without any parts every answer is complete, and zero', async () => {
    const { engine } = open();
    expect(await engine.ask({ ask: 'activeDevices', range, filter: {} }, [])).toEqual({
      daily: [0, 0, 0],
      weekly: [0, 0, 0],
      monthly: [0, 0, 0],
    });
    const oneOfEach = new Map(questionsOf({}, range).map((question) => [question.ask, question]));
    for (const question of oneOfEach.values()) {
      expect(await engine.ask(question, [])).toEqual(countPlainly([])(question));
    }
  });

  test('a device counts once, on each day and in the 7 and 28 days that end with it', async () => {
    const world = open();
    const days = await keep(world, [
      log('startSession', at(-27), { sid: 'old' }),
      log('event', at(-6), { install: bob, id: '1', name: 'open' }),
      log('event', at(0), { id: '2', name: 'open' }),
      log('page', at(0, 60), { sid: 's', name: 'Cart' }),
      log('startService', at(1)),
    ]);
    expect(await world.engine.ask({ ask: 'activeDevices', range, filter: {} }, everything(days))).toEqual({
      daily: [1, 0, 0],
      weekly: [2, 1, 1],
      monthly: [2, 2, 2],
    });
  });

  test('a session counts on the day of its start, and its length reaches over midnight', async () => {
    const world = open();
    const days = await keep(world, [
      log('startSession', at(1, -20), { sid: 's' }),
      log('event', at(1, 25), { sid: 's', id: '1', name: 'open' }),
      log('startSession', at(1), { sid: 'alone' }),
      log('event', at(2), { sid: 'no start', id: '2', name: 'open' }),
    ]);
    const parts = everything(days);
    expect(await world.engine.ask({ ask: 'usage', range, filter: {}, bucketDays: 1 }, parts)).toMatchObject({
      sessions: [1, 1, 1],
    });
    expect(await world.engine.ask({ ask: 'sessionDurations', range, filter: {} }, parts)).toEqual({
      bands: [0, 0, 1, 0, 0, 0],
      sessions: 1,
      totalMs: 45_000,
    });
  });

  test('a log that comes again is left out, in the same batch and in a later one', async () => {
    const world = open();
    const event = log('event', at(0), { id: 'A', name: 'open' });
    const start = log('startSession', at(0), { sid: 's' });
    const days = await keep(world, [event, start, event], [start, event], [{ ...event, install: bob }]);
    expect(days.get(TODAY)).toHaveLength(2);
    expect(
      await world.engine.ask({ ask: 'eventByDay', range, filter: {}, name: 'open' }, everything(days)),
    ).toMatchObject({ total: { count: 2, devices: 2 } });
  });

  test('logs without an id are told apart by what they say', async () => {
    const world = open();
    const one = log('event', at(0), { name: 'open' });
    const days = await keep(world, [one, { ...one, name: 'close' }, one, { ...one, at: at(0, 1) }]);
    expect(
      await world.engine.ask(
        { ask: 'events', range, filter: {}, names: [], order: 'name', isDescending: false, skip: 0, limit: 0 },
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

  test('parts that are merged say the same, and tell repeats until they are sealed', async () => {
    const world = open();
    const first = log('event', at(0), { id: '1', name: 'open', sid: 's' });
    const days = await keep(
      world,
      [first],
      [log('startSession', at(0, -1), { sid: 's' }), log('event', at(0), { id: '2', name: 'open' })],
    );
    const parts = days.get(TODAY) ?? [];
    const merged = await world.engine.merge(TODAY, parts, world.folder);
    const sealed = await world.engine.merge(TODAY, parts, world.folder, { isSealed: true });
    for (const question of new Map(questionsOf({}, range).map((question) => [question.ask, question])).values()) {
      const answer = await world.engine.ask(question, everything(days));
      expect(
        await world.engine.ask(question, [...(days.get(TODAY - 1) ?? []), ...(merged ? [merged.files] : [])]),
      ).toEqual(answer);
      expect(
        await world.engine.ask(question, [...(days.get(TODAY - 1) ?? []), ...(sealed ? [sealed.files] : [])]),
      ).toEqual(answer);
    }
    const again = await world.engine.stage([{ installId: ann, logs: [{ at: first.at, value: toWire(first) }] }]);
    expect(await again.write(TODAY, merged ? [merged.files] : [], world.folder)).toBeUndefined();
    await again.release();
  });

  test('an event that is forgotten is gone at once and when parts are merged, but its device was there', async () => {
    const world = open();
    const first = log('event', at(0), { id: '1', name: "it's", sid: 's', properties: { plan: 'a' } });
    const days = await keep(world, [
      first,
      log('event', at(0), { id: '2', name: 'open', install: bob }),
      log('page', at(0), { name: "it's", sid: 's' }),
    ]);
    const marked = everything(days).map((part): Part => ({ ...part, forgotten: ["it's", 'none'] }));
    const later = await keep(world, [log('event', at(1), { id: '3', name: "it's" })]);
    const merged = await world.engine.merge(TODAY, marked, world.folder);
    const all = { range, filter: {}, names: [], order: 'name', isDescending: false, skip: 0, limit: 0 } as const;
    for (const parts of [marked, merged ? [merged.files] : []]) {
      const with_ = [...parts, ...everything(later)];
      expect((await world.engine.ask({ ask: 'events', ...all }, parts)).rows.map(({ name }) => name)).toEqual(['open']);
      expect(await world.engine.ask({ ask: 'events', ...all }, with_)).toMatchObject({
        rows: [
          { name: "it's", count: 1 },
          { name: 'open', count: 1 },
        ],
      });
      expect(await world.engine.ask({ ask: 'eventProperties', range, filter: {}, name: "it's" }, with_)).toEqual([]);
      const { daily } = await world.engine.ask({ ask: 'activeDevices', range, filter: {} }, parts);
      expect(daily).toEqual([2, 0, 0]);
      const { sessions } = await world.engine.ask({ ask: 'usage', range, filter: {}, bucketDays: 1 }, parts);
      expect(sessions).toEqual([1, 0, 0]);
      const again = await world.engine.stage([{ installId: ann, logs: [{ at: first.at, value: toWire(first) }] }]);
      expect(await again.write(TODAY, parts, world.folder)).toBeUndefined();
      await again.release();
    }
  });

  test('no log, whatever is in it, keeps the others from being counted', async () => {
    const world = open();
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
    const staged = await world.engine.stage([
      { installId: '\u0000', logs: oddLogs.map((value) => ({ at: at(0), value })) },
      { installId: ann, logs: [{ at: good.at, value: toWire(good) }] },
    ]);
    const part = await staged.write(TODAY, [], world.folder);
    await staged.release();
    const parts = part ? [part.files] : [];
    const asked = { ask: 'eventByDay', range, filter: {}, name: 'open' } as const;
    expect((await world.engine.ask(asked, parts)).total.count).toBeGreaterThanOrEqual(1);
    for (const question of questionsOf({}, range)) await world.engine.ask(question, parts);
  });

  test('a device that is to go is left out of what is written anew', async () => {
    const world = open();
    const days = await keep(world, [
      log('startSession', at(0), { sid: 's' }),
      log('startSession', at(0), { sid: 's', install: bob }),
    ]);
    const merge = (parts: Part[], withoutInstall: string) =>
      world.engine.merge(TODAY, parts, world.folder, { withoutInstall });
    const left = await merge(everything(days), bob.toUpperCase());
    const parts = left ? [left.files] : [];
    expect(await world.engine.ask({ ask: 'usage', range, filter: {}, bucketDays: 3 }, parts)).toEqual({
      devices: [1],
      sessions: [1],
    });
    expect(await merge(parts, ann)).toBeUndefined();
  });

  test('whatever comes, in whatever order and however often, is counted as plain code counts it', {
    timeout: 180_000,
  }, async () => {
    const world = open();
    await fc.assert(
      fc.asyncProperty(
        logs,
        fc.array(fc.nat({ max: 59 }), { maxLength: 10 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 2 }).chain((length) =>
          filters.chain((filter) =>
            fc.shuffledSubarray(questionsOf(filter, { from: TODAY - length, to: TODAY + 1 }), {
              minLength: 6,
              maxLength: 6,
            }),
          ),
        ),
        async (drawn, repeats, size, questions) => {
          const sent = drawn.map((each) => tidy(each as PlainLog & { sid: string | undefined }));
          sent.push(...repeats.flatMap((which) => sent[which] ?? []));
          const arrivals = [sent.slice(0, size * 8), sent.slice(size * 8)];
          const days = await keep(world, ...arrivals);
          const kept = withoutRepeats(sent);
          const count = countPlainly(kept);
          for (const question of questions) {
            expect({ question, answer: await world.engine.ask(question, everything(days)) }).toEqual({
              question,
              answer: count(question),
            });
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
