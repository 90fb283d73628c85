import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createRandom, type Random } from '../../../tools/samples/random.ts';
import { send } from '../../harness/http.ts';
import { startServer } from '../../harness/server.ts';
import { openFixtures } from '../fixtures.ts';
import { type Dialect, withInstallation } from '../installation.ts';

const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  wrapperSdkName: 'appcenter.react-native',
  osName: 'Android',
  osVersion: '14',
  model: 'Pixel 7',
  locale: 'en_US',
  appVersion: '1.4.0',
  appBuild: '140',
};

/** One log of each type that SDKs send. */
function soundLogs(): object[] {
  const about = () => ({ timestamp: new Date().toISOString(), sid: randomUUID(), device: { ...device } });
  const frame = { className: 'org.example.Shop', methodName: 'open', lineNumber: 7, fileName: 'Shop.java' };
  const exception = { type: 'java.lang.IllegalStateException', message: 'gone', frames: [frame] };
  const id = randomUUID();
  return [
    { type: 'startSession', ...about() },
    {
      type: 'event',
      id: randomUUID(),
      name: 'open',
      typedProperties: [{ type: 'long', name: 'n', value: 3 }],
      ...about(),
    },
    { type: 'page', name: 'home', properties: { from: 'start' }, ...about() },
    { type: 'customProperties', properties: [{ type: 'clear', name: 'plan' }], ...about() },
    { type: 'managedError', id, fatal: true, exception: { ...exception, innerExceptions: [exception] }, ...about() },
    { type: 'handledError', id: randomUUID(), exception, ...about() },
    {
      type: 'appleError',
      id: randomUUID(),
      fatal: true,
      primaryArchitectureId: 16777228,
      osExceptionType: 'SIGABRT',
      threads: [{ id: 0, frames: [{ address: '0x1000042a8' }] }],
      binaries: [
        { id: randomUUID(), name: 'Shop', startAddress: '0x100000000', endAddress: '0x100010000', path: '/a' },
      ],
      ...about(),
    },
    { type: 'errorAttachment', id: randomUUID(), errorId: id, contentType: 'text/plain', data: 'aGVsbG8=', ...about() },
  ];
}

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** Values that terminate a text, overflow a number, or have an unexpected type. */
const hostile = (chance: Random): unknown =>
  chance.pick([
    () => null,
    () => true,
    () => -1,
    () => 1e308,
    () => Number.MAX_SAFE_INTEGER + 2,
    () => '',
    () => '\0',
    () => '\ud800',
    () => 'x'.repeat(chance.between(1, 100_000)),
    () => '0x'.repeat(1000),
    () => [],
    () => ({}),
    () => nested(chance.between(1, 300)),
    () => Array.from({ length: chance.between(1, 2000) }, () => null),
    () => Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key ${n}`, n])),
    () => JSON.parse('{"__proto__":{"type":"event"},"constructor":1}'),
    () => '2026-13-45T99:99:99Z',
    () => '-271821-04-20T00:00:00Z',
  ])();

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Replaces, removes, adds or duplicates something at a random place. */
function mutateTree(chance: Random, value: unknown): void {
  if (!isTree(value)) return;
  const key = chance.pick([...Object.keys(value), 'new']);
  if (isTree(value[key]) && chance.next() < 0.7) mutateTree(chance, value[key]);
  else if (chance.next() < 0.15) delete value[key];
  else value[key] = hostile(chance);
}

function mutateBytes(chance: Random, bytes: Buffer): Buffer {
  const at = chance.between(0, Math.max(0, bytes.length - 1));
  const some = Buffer.from(Array.from({ length: chance.between(1, 8) }, () => chance.between(0, 255)));
  return chance.pick([
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at + some.length)]),
    () => Buffer.concat([bytes, bytes.subarray(at)]),
  ])();
}

/** An unusual body, and its content type and encoding. */
function mutatedBody(chance: Random): { raw: Buffer; isZipped: boolean } {
  const logs = soundLogs();
  const body: Tree = { logs };
  for (let times = chance.between(1, 4); times > 0; times -= 1) mutateTree(chance, chance.next() < 0.9 ? logs : body);
  let raw: Buffer = Buffer.from(JSON.stringify(body));
  if (chance.next() < 0.2) raw = mutateBytes(chance, raw);
  const isZipped = chance.next() < 0.5;
  if (isZipped) raw = gzipSync(raw);
  if (isZipped && chance.next() < 0.2) raw = mutateBytes(chance, raw);
  return { raw, isZipped };
}

const CONCURRENCY = 8;
/** 411 is for a body that was truncated to nothing. */
const expected = new Set([200, 400, 411, 413]);

/** Sends invalid and valid bodies: none gets a 5xx, acknowledged logs are counted, and consumers process all logs. */
export const sendMutatedLogs = ({
  dialect,
  bodies,
  seed = Date.now() % 1e6,
}: {
  dialect: Dialect;
  bodies: number;
  seed?: number;
}): Promise<string> =>
  withInstallation(dialect, async ({ settings, rows }) => {
    const server = await startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error' } });
    try {
      const { token } = (await openFixtures(server)).ada;
      const create = { display_name: 'Noise', os: 'Android', platform: 'Java' };
      const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: create });
      const { id, name, owner, app_secret } = made.json<{
        id: string;
        name: string;
        owner: { name: string };
        app_secret: string;
      }>();
      const app = `${server.httpUrl}/v0.1/apps/${owner.name}/${name}`;
      const statuses = new Map<number, number>();
      let accepted = 0;
      let next = 0;
      const post = async (raw: Buffer, isZipped: boolean) => {
        const headers = {
          'app-secret': app_secret,
          'install-id': randomUUID(),
          'content-type': 'application/json',
          ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
        };
        const answer = await send('POST', `${server.httpUrl}/logs?api-version=1.0.0`, { headers, raw });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 200) accepted += answer.json<{ accepted: number }>().accepted;
        return answer;
      };
      const control = { type: 'event', name: 'control', device };
      let controls = 0;
      const lane = async () => {
        while (next < bodies) {
          const at = next++;
          const { raw, isZipped } = mutatedBody(createRandom(seed * 1e6 + at));
          const { status, text } = await post(raw, isZipped);
          assert.ok(expected.has(status), `The server responded to body ${at} with ${status}: ${text.slice(0, 500)}`);
          if (at % 50 !== 0) continue;
          const log = { ...control, id: randomUUID(), timestamp: new Date().toISOString() };
          const answer = await post(Buffer.from(JSON.stringify({ logs: [log] })), false);
          assert.equal(answer.json<{ accepted: number }>().accepted, 1, answer.text);
          controls += 1;
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, lane));
      const [sum] = await rows(`SELECT sum(logs) AS logs FROM ingest_minutes WHERE app_id = '${id}'`);
      assert.equal(Number(sum?.logs), accepted, 'the count of logs differs from the acknowledged number');

      for (;;) {
        const { consumers } = (await send('GET', `${app}/ingestion`, { token })).json<{
          consumers: { name: string; waiting: number }[];
        }>();
        assert.ok(consumers.length > 0);
        if (consumers.every(({ waiting }) => waiting === 0)) break;
        const failed = await rows(
          "SELECT name, last_error FROM jobs WHERE (name LIKE 'analytics%' OR name LIKE 'crash%') AND last_error IS NOT NULL",
        );
        assert.deepEqual(failed, [], 'a job failed');
        await sleep(200);
      }
      const since = new Date(Date.now() - 86_400_000).toISOString();
      const events = await send('GET', `${app}/analytics/events/control/event_count?start=${since}`, { token });
      assert.equal(events.json<{ total_count: number }>().total_count, controls, events.text);
      const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
      return `${dialect}: ${bodies} mutated bodies (${seen.join(', ')}), no 5xx; ${accepted} logs acknowledged and counted, all processed by their consumers; ${controls} valid logs among them counted exactly`;
    } catch (error) {
      // Log lines about it are written with a delay.
      await sleep(500);
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      await server.stop({ keepData: true });
    }
  });
