import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '../../tools/chance.ts';
import { startServer } from '../harness/server.ts';
import { type Counting, openCounting } from './counting.ts';
import { type Installation, withInstallation } from './installation.ts';
import type { Kills } from './kill.ts';

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' } });

/** The process that counts, if it runs just now. */
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

/** Asks without a pause; each answer is a count or a 503 that says why. */
function keepAsking(counting: Counting, ask: () => ReturnType<Counting['ask']>) {
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const answer = await ask().catch(() => undefined);
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

/** Ends the process that counts, or the whole server, while logs come and become files; afterwards each is counted once. */
export const killCounting = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createChance(seed);
    let server = await start(installation);
    const ended = { counter: 0, server: 0 };
    try {
      const counting = await openCounting(server);
      for (let kill = 0; kill < kills; kill++) {
        const sending = counting.startSending(server);
        const asking = keepAsking(counting, () => counting.ask(server));
        // Within this time, logs are taken, staged, written, stored and merged.
        await sleep(chance.between(500, 6000));
        const counter = kill % 2 === 0 ? findCounter(server.process.pid ?? 0) : undefined;
        if (counter !== undefined) {
          ended.counter += 1;
          process.kill(counter, 'SIGKILL');
          await sleep(chance.between(0, 300));
          await Promise.all([sending.stop(), asking.stop()]);
        } else {
          ended.server += 1;
          server.process.kill('SIGKILL');
          await Promise.all([server.process.signalCode ?? once(server.process, 'exit'), sending.stop(), asking.stop()]);
          server = await start(installation);
        }
      }
      const counted = await counting.untilCounted(server);
      const [kept] = await installation.rows(
        `SELECT sum(logs) AS logs FROM ingest_minutes JOIN apps ON apps.id = app_id WHERE apps.name = 'counted'`,
      );
      assert.equal(counted, Number(kept?.logs), 'what is counted differs from what is kept');
      return `${dialect}: the process that counts was ended ${ended.counter} times and the server ${ended.server} times while logs came; ${counted} events counted, each once, all ${counting.sent.acknowledged} acknowledged ones among them`;
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
  });
