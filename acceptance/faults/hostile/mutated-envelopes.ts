import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { send } from '../../harness/http.ts';
import { startServer } from '../../harness/server.ts';
import { openFixtures } from '../fixtures.ts';
import { type Dialect, withInstallation } from '../installation.ts';
import { createRandom, mutate } from './envelope-mutations.ts';
import { createApp, soundEnvelope } from './sound-envelopes.ts';

const CONCURRENCY = 8;
const expected = new Set([200, 400, 403, 413]);
/** Between the memory after the first tenth and at the end; the rest is caches and the garbage of the last requests. */
const MAX_GROWTH_MB = 150;
const CONTROL_EVERY = 50;

const encoders = [
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const;

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Sends mutated envelopes: none gets a 5xx, none keeps the next waiting, and memory stays flat. */
export const sendMutatedEnvelopes = ({
  dialect,
  envelopes,
  seed = Date.now() % 1e6,
}: {
  dialect: Dialect;
  envelopes: number;
  seed?: number;
}): Promise<string> =>
  withInstallation(dialect, async ({ settings, rows }) => {
    const server = await startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error' } });
    try {
      const { token } = (await openFixtures(server)).ada;
      const { id, home, url } = await createApp(server.httpUrl, token);
      const statuses = new Map<number, number>();
      let next = 0;
      let controls = 0;
      let early = 0;
      const post = (raw: Buffer, encoding = 'identity') =>
        send('POST', url, { raw, headers: encoding === 'identity' ? {} : { 'content-encoding': encoding } });
      const lane = async () => {
        while (next < envelopes) {
          const at = next++;
          const random = createRandom(seed * 1e6 + at);
          const [encoding, encode] = encoders[random(encoders.length)] ?? encoders[0];
          const mutated = mutate(soundEnvelope(at), random);
          // Some are damaged after compression.
          const raw = random(10) === 0 ? mutate(encode(mutated), random) : encode(mutated);
          const { status, text } = await post(raw, encoding);
          assert.ok(
            expected.has(status),
            `The server responded to envelope ${at} with ${status}: ${text.slice(0, 500)}`,
          );
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (at >= envelopes / 10) early ||= residentMb(server.process.pid as number);
          if (at % CONTROL_EVERY !== 0) continue;
          assert.equal((await post(soundEnvelope(1e9 + at))).status, 200);
          controls += 1;
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, lane));
      for (;;) {
        const { consumers } = (await send('GET', `${home}/ingestion`, { token })).json<{
          consumers: { waiting: number }[];
        }>();
        if (consumers.every(({ waiting }) => waiting === 0)) break;
        const failed = await rows(
          "SELECT name, last_error FROM jobs WHERE (name LIKE 'analytics%' OR name LIKE 'crash%') AND last_error IS NOT NULL",
        );
        assert.deepEqual(failed, [], 'a job failed');
        await sleep(200);
      }
      const [{ count } = { count: 0 }] = await rows(
        `SELECT count(*) AS count FROM crash_reports WHERE app_id = '${id}' AND user_id = 'control'`,
      );
      assert.equal(Number(count), controls, 'a valid event is missing');
      const growth = residentMb(server.process.pid as number) - early;
      assert.ok(growth < MAX_GROWTH_MB, `memory grew by ${Math.round(growth)} MB`);
      const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status}`);
      return `${dialect}: ${envelopes} mutated envelopes (${seen.join(', ')}), no 5xx; all processed; ${controls} valid events among them stored; memory grew by ${Math.round(growth)} MB`;
    } catch (error) {
      // Log lines about it are written with a delay.
      await sleep(500);
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      await server.stop({ keepData: true });
    }
  });
