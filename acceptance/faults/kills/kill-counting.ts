import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../tools/samples/random.ts';
import { startServer } from '../../harness/server.ts';
import { type Counting, openCounting } from '../counting.ts';
import { type Installation, withInstallation } from '../installation.ts';
import type { Kills } from './kill.ts';

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' } });

/** The counting process, if it runs. */
export function findCounter(server: number): number | undefined {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').split(' ').filter(Boolean);
  const isCounter = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('telemetry/duckdb/child.ts');
    } catch {
      return false;
    }
  };
  const found = children.find(isCounter);
  return found === undefined ? undefined : Number(found);
}

/** Queries without a pause; each response is a count or a 503 with a reason. */
function poll(counting: Counting, request: () => ReturnType<Counting['getCount']>) {
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const answer = await request().catch(() => undefined);
      if (answer) assert.ok([200, 503].includes(answer.status), answer.text);
      if (answer?.status === 503) counting.messages.add(answer.json<{ error: { message: string } }>().error.message);
      await sleep(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await done;
    },
  };
}

/**
 * Kills the counting process or the whole server while logs arrive and become files; afterwards each log is counted
 * once.
 */
export const killCounting = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createRandom(seed);
    let server = await start(installation);
    const ended = { counter: 0, server: 0 };
    try {
      const counting = await openCounting(server);
      for (let kill = 0; kill < kills; kill++) {
        const sending = counting.startSending(server);
        const polling = poll(counting, () => counting.getCount(server));
        // Within this time, logs are received, staged, written, stored and merged.
        await sleep(chance.between(500, 6000));
        const counter = kill % 2 === 0 ? findCounter(server.process.pid ?? 0) : undefined;
        if (counter !== undefined) {
          ended.counter += 1;
          process.kill(counter, 'SIGKILL');
          await sleep(chance.between(0, 300));
          await Promise.all([sending.stop(), polling.stop()]);
        } else {
          ended.server += 1;
          server.process.kill('SIGKILL');
          await Promise.all([
            server.process.signalCode ?? once(server.process, 'exit'),
            sending.stop(),
            polling.stop(),
          ]);
          server = await start(installation);
        }
      }
      const counted = await counting.untilCounted(server);
      const [stored] = await installation.rows(
        `SELECT sum(logs) AS logs FROM ingest_minutes JOIN apps ON apps.id = app_id WHERE apps.name = 'counted'`,
      );
      assert.equal(counted, Number(stored?.logs), 'the count differs from the number of stored logs');
      return `${dialect}: the telemetry process was killed ${ended.counter} times and the server ${ended.server} times while logs arrived; ${counted} events counted, each once, including all ${counting.sent.acknowledged} acknowledged ones`;
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
  });
