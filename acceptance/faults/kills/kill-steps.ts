import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { openCounting } from '../counting.ts';
import { type Dialect, type Installation, withInstallation } from '../installation.ts';
import { findCounter } from './kill-counting.ts';

const breaker = path.join(import.meta.dirname, 'step-breaker.ts');

/** A server with a chosen step to end at, and a chosen clock error. */
export function breakable({ settings }: Pick<Installation, 'settings'>, more: Record<string, string>) {
  const file = path.join(settings.dataDir, 'fault');
  let clock = '';
  const set = (text: string) => {
    // Written atomically, because the server reads it meanwhile.
    writeFileSync(`${file}.draft`, text);
    renameSync(`${file}.draft`, file);
    clock = text.replace(/[^-\d]/g, '');
  };
  set('');
  const env = {
    ...settings.env,
    NODE_OPTIONS: `--import=${breaker}`,
    FAULT_FILE: file,
    MOORING_LOG_LEVEL: 'error',
    MOORING_RATE_LIMIT: '0',
    ...more,
  };
  return { set, clock: () => clock, start: () => startServer({ ...settings, env }) };
}

const ENDS_WITHIN = 300_000;

const hasEnded = async ({ process }: RunningServer, step: string): Promise<void> => {
  if (process.exitCode !== null || process.signalCode !== null) return;
  await once(process, 'exit', { signal: AbortSignal.timeout(ENDS_WITHIN) }).catch((cause: unknown) => {
    throw new Error(`The server did not ${step ? `reach the step ${step}` : 'exit'}.`, { cause });
  });
};

export interface Breakable {
  installation: Installation;
  set: (text: string) => void;
  server: () => RunningServer;
  /**
   * Kills the server at a step during `meanwhile`, and starts another one. Its clock is not later than before the step,
   * so that leases of the first one are still valid, and no work is repeated before the next step is set.
   */
  endAt: (step: string, meanwhile: () => Promise<unknown>) => Promise<void>;
}

/** Runs `work` with the server that is running in the end. */
export const withBreakable = (
  dialect: Dialect,
  work: (tools: Breakable) => Promise<string>,
  more: Record<string, string> = {},
): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const { set, clock, start } = breakable(installation, more);
    let server = await start();
    const endAt = async (step: string, meanwhile: () => Promise<unknown>) => {
      const before = clock();
      set(step);
      await Promise.all([hasEnded(server, step), meanwhile()]);
      set(before);
      server = await start();
    };
    try {
      return await work({ installation, set, server: () => server, endAt });
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
  });

/** When the counting process is stopped in the middle of a query, the query fails once, with a clear error. */
async function killDuringQuery({ getCount }: Awaited<ReturnType<typeof openCounting>>, server: RunningServer) {
  // Other days than before: a cached result would need no process.
  for (const [tries, days] of [3, 4, 5, 6, 7].entries()) {
    const counter = findCounter(server.process.pid ?? 0);
    assert.ok(counter !== undefined, 'No telemetry process is running.');
    process.kill(counter, 'SIGSTOP');
    const response = getCount(server, days);
    await sleep(300 * 2 ** tries);
    process.kill(counter, 'SIGKILL');
    const refused = await response;
    // On a busy machine the query came too late for this process, and the next one responded: allow more time.
    if (refused.status === 200) continue;
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.text, /ended and is restarting/);
    const next = await getCount(server, days);
    assert.equal(next.status, 200, next.text);
    return;
  }
  assert.fail('No query failed although its process was killed.');
}

/**
 * Kills a server between the commit of a batch and its response, when a new segment is not recorded yet, and while a
 * segment is rewritten after a deletion; and kills the counting process during a query. Devices resend logs that were
 * not acknowledged.
 */
export const killAtSteps = (dialect: Dialect): Promise<string> =>
  withBreakable(dialect, async ({ server, endAt }) => {
    const counting = await openCounting(server());
    const { sent } = counting;
    const sendUntilEnd = () => counting.startSending(server()).done;
    await endAt('logResponse', sendUntilEnd);
    const unanswered = sent.open;
    assert.ok(unanswered > 0, 'Each device got a response, so the kill interrupted nothing.');
    await counting.sendAgain(server());
    await endAt('segment', sendUntilEnd);
    await counting.sendAgain(server());
    assert.equal(
      await counting.untilCounted(server()),
      sent.acknowledged,
      'The count differs from the number of acknowledged events.',
    );
    const counted = sent.acknowledged;
    await killDuringQuery(counting, server());
    await endAt('segment', () => counting.deleteEvents(server()));
    Object.assign(sent, { acknowledged: 0, open: 0 });
    assert.equal(await counting.untilCounted(server()), 0, 'Deleted events are counted again.');
    const files = await counting.untilDeleted(server());
    const sending = counting.startSending(server());
    await sleep(500);
    await sending.stop();
    assert.equal(await counting.untilCounted(server()), sent.acknowledged);
    return `${dialect}: killed before a response, with unregistered files and during a deletion: ${counted} events, ${unanswered} of them retried, each counted once; deleted data stayed deleted in ${files} files, and later data counts; a query whose process was killed returned one 503, the next query succeeded`;
  });

const HOUR = 3_600_000;

/** The clock of a server is wrong for a while, by hours and by a day, while devices send. */
export const stepClock = (dialect: Dialect): Promise<string> =>
  withBreakable(dialect, async ({ server, set }) => {
    const counting = await openCounting(server());
    const wrong = [-2 * HOUR, 0, 25 * HOUR, 0];
    for (const step of wrong) {
      set(String(step));
      await sleep(100);
      const sending = counting.startSending(server());
      await sleep(1500);
      await sending.stop();
    }
    const counted = await counting.untilCounted(server());
    assert.equal(counted, counting.sent.acknowledged);
    return `${dialect}: the clock went back by two hours, forward by a day and back again while devices sent; ${counted} events counted, each once`;
  });
