import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { passBatches, readBatches } from '../batches/batches.ts';
import type { LogConsumer } from '../batches/consumers.ts';

/** Differences between the SDKs: case of IDs, fractions of a second, indentation, minimum size for compression. */
interface Dialect {
  name: string;
  device: object;
  id(): string;
  time(at: number): string;
  /** SDK-specific fields of an event. */
  event(id: string): object;
  body(logs: readonly unknown[]): { payload: Buffer; headers: Record<string, string> };
}

const json = { 'content-type': 'application/json' };

function compressing(logs: readonly unknown[]) {
  const payload = Buffer.from(JSON.stringify({ logs }));
  return payload.length < 1400
    ? { payload, headers: json }
    : { payload: gzipSync(payload), headers: { ...json, 'content-encoding': 'gzip' } };
}

const common = { osVersion: '14', timeZoneOffset: 120, appVersion: '1.4.0', appBuild: '140' };

const android: Dialect = {
  name: 'Android',
  device: { ...common, sdkName: 'appcenter.android', sdkVersion: '5.0.6', osName: 'Android', locale: 'en_US' },
  id: () => randomUUID(),
  time: (at) => new Date(at).toISOString(),
  event: (id) => ({ id, name: 'checkout', typedProperties: [{ type: 'double', name: 'total', value: 19.5 }] }),
  body: compressing,
};
const apple: Dialect = {
  ...android,
  name: 'Apple',
  device: { ...common, sdkName: 'appcenter.ios', sdkVersion: '5.0.5', osName: 'iOS', locale: 'zh-Hans_CN' },
  id: () => randomUUID().toUpperCase(),
};
const dotnet: Dialect = {
  name: '.NET',
  device: { ...common, sdkName: 'appcenter.wpf.net', sdkVersion: '5.0.3', osName: 'WINDOWS', locale: 'en-US' },
  id: () => randomUUID(),
  time: (at) => new Date(at).toISOString().replace('Z', '4567Z'),
  event: (id) => ({ id, name: 'Käse & "Quotes"\n', properties: { plan: 'pro' } }),
  body: (logs) => ({
    payload: Buffer.from(JSON.stringify({ logs }, undefined, 2)),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
};
const reactNative: Dialect = {
  ...android,
  name: 'React Native',
  device: {
    ...android.device,
    wrapperSdkName: 'appcenter.react-native',
    wrapperSdkVersion: '5.0.2',
    liveUpdateReleaseLabel: 'v3',
  },
  event: (id) => ({
    type: 'handledError',
    id,
    exception: { type: 'TypeError', stackTrace: 'TypeError: x\n    at pay (index.bundle:1:42)' },
  }),
};
const dialects = [android, apple, dotnet, reactNative];

type Kind = 'event' | 'session' | 'timeless' | 'invalid' | 'old' | 'ahead';
const kinds: readonly Kind[] = ['event', 'session', 'timeless', 'invalid', 'old', 'ahead'];
const invalid = [7, null, 'x', [], {}, { type: 'evnt' }, { type: 'event', device: 1 }];

/** Creates a log of a kind; `isKept` is the expected result. */
function make({ device, time, event, id }: Dialect, kind: Kind, now: number, at: number) {
  const log = { type: 'event', timestamp: time(now - at * 1000), sid: id(), ...event(id()), device };
  switch (kind) {
    case 'event':
      return { log, isStored: true };
    case 'session':
      return {
        log: { type: 'startSession', timestamp: log.timestamp, sid: id(), device, later: { a: [1] } },
        isStored: true,
      };
    case 'timeless':
      return { log: { ...log, timestamp: undefined }, isStored: true };
    case 'invalid':
      return { log: invalid[at % invalid.length], isStored: false };
    case 'old':
      return { log: { ...log, timestamp: time(now - 26 * DAY) }, isStored: false };
    case 'ahead':
      return { log: { ...log, timestamp: time(now + 4 * DAY) }, isStored: false };
  }
}

const everything: LogConsumer = {
  name: 'everything',
  types: new Set(['event', 'startSession', 'handledError']),
  job: { name: 'none.run', maxAttempts: 1, lane: 'own' as const },
};

const batch = fc.record({
  dialect: fc.constantFrom(...dialects),
  kinds: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 }),
});

eachDatabase('batches of every SDK', (database) => {
  test('in any order, concurrent, mixed with invalid and late logs, are stored as sent, once', async () => {
    const app = await testApp(database);
    const ada = await app.addUser('ada');
    const { id } = await app.addApp(ada, 'buoy');
    const [row] = await app.database.query((q) => q.selectFrom('apps').select('app_secret'));
    const now = app.deps.clock.now();

    const sendBatch = async ({ dialect, kinds }: { dialect: Dialect; kinds: Kind[] }) => {
      const install = dialect.id();
      const made = kinds.map((kind, at) => make(dialect, kind, now, at));
      const { payload, headers } = dialect.body(made.map(({ log }) => log));
      const response = await app.call('POST', '/logs?Api-Version=1.0.0', {
        headers: { ...headers, 'app-secret': row?.app_secret, 'install-id': install },
        body: payload,
      });
      const stored = made.filter(({ isStored }) => isStored).map(({ log }) => JSON.parse(JSON.stringify(log)));
      expect([dialect.name, response.statusCode, response.json().accepted]).toEqual([dialect.name, 200, stored.length]);
      const { invalid, dropped } = response.json();
      expect(invalid + dropped).toBe(kinds.length - stored.length);
      return [install.toLowerCase(), stored] as const;
    };

    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 8 }), async (batches) => {
        const sent = await Promise.all(batches.map(sendBatch));
        const read = new Map<string, unknown>();
        for (;;) {
          const range = await readBatches(app.deps, everything, id, { limit: 3 });
          if (range.to === range.from) break;
          for (const { installId, logs } of range.batches) {
            expect(read.has(installId)).toBe(false);
            read.set(
              installId,
              logs.map(({ value }) => value),
            );
          }
          await tx(app.deps, (ctx) => passBatches(ctx, everything, range));
        }
        expect(read).toEqual(new Map(sent.filter(([, stored]) => stored.length > 0)));
      }),
      { numRuns: 25 },
    );
  });
});
