import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer } from '../harness/server.ts';
import { openCounting } from './counting.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';
import { findCounter } from './kill-counting.ts';

const breaker = path.join(import.meta.dirname, 'step-breaker.ts');

/** A server that can be told at which step it ends, or how wrong its clock is. */
export function breakable({ settings }: Pick<Installation, 'settings'>, more: Record<string, string>) {
  const file = path.join(settings.dataDir, 'fault');
  let clock = '';
  const set = (what: string) => {
    // Whoever reads it meanwhile finds it whole.
    writeFileSync(`${file}.draft`, what);
    renameSync(`${file}.draft`, file);
    clock = what.replace(/[^-\d]/g, '');
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
    throw new Error(`the server never came to ${step || 'its end'}`, { cause });
  });
};

export interface Breakable {
  installation: Installation;
  set: (what: string) => void;
  server: () => RunningServer;
  /**
   * Ends it at a step while `meanwhile` is done, and starts another, by whose clock it is not later than before the step: what the
   * first one had taken is still its own, so nothing is done over before the next step is set, however long a start takes.
   */
  endAt: (step: string, meanwhile: () => Promise<unknown>) => Promise<void>;
}

/** Runs `work` with whichever server is there in the end. */
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

/** What the process that counts is told to stop over in the middle of a question is refused once, clearly. */
async function killInQuestion({ ask }: Awaited<ReturnType<typeof openCounting>>, server: RunningServer) {
  // Other days than before: an answer that is known already would need no process.
  for (const [tries, days] of [3, 4, 5, 6, 7].entries()) {
    const counter = findCounter(server.process.pid ?? 0);
    assert.ok(counter !== undefined, 'no process counts telemetry');
    process.kill(counter, 'SIGSTOP');
    const asked = ask(server, days);
    await sleep(300 * 2 ** tries);
    process.kill(counter, 'SIGKILL');
    const refused = await asked;
    // On a busy machine the question came too late for this process, and the next one answered: it gets more time.
    if (refused.status === 200) continue;
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.text, /ended and is started again; try again/);
    const next = await ask(server, days);
    assert.equal(next.status, 200, next.text);
    return;
  }
  assert.fail('no question was refused although its process was killed');
}

/**
 * Ends a server between the commit of a batch and its answer, when a part is written that nobody knows of, and in the middle
 * of writing anew what somebody deleted; and what counts in the middle of a question. Devices send again what was not
 * acknowledged.
 */
export const killAtSteps = (dialect: Dialect): Promise<string> =>
  withBreakable(dialect, async ({ server, endAt }) => {
    const counting = await openCounting(server());
    const { sent } = counting;
    const sendUntilEnd = () => counting.startSending(server()).done;
    await endAt('answer', sendUntilEnd);
    const unanswered = sent.open;
    assert.ok(unanswered > 0, 'no device was left without an answer');
    await counting.sendAgain(server());
    await endAt('file', sendUntilEnd);
    await counting.sendAgain(server());
    assert.equal(await counting.untilCounted(server()), sent.acknowledged, 'something was counted twice');
    const counted = sent.acknowledged;
    await killInQuestion(counting, server());
    await endAt('file', () => counting.deleteEvents(server()));
    Object.assign(sent, { acknowledged: 0, open: 0 });
    assert.equal(await counting.untilCounted(server()), 0, 'what was deleted is back');
    const files = await counting.untilDeleted(server());
    const sending = counting.startSending(server());
    await sleep(500);
    await sending.stop();
    assert.equal(await counting.untilCounted(server()), sent.acknowledged);
    return `${dialect}: ended before an answer, with files that nobody knew of and in the middle of a deletion: ${counted} events, ${unanswered} of them sent again, each counted once; what was deleted stayed so in ${files} files, and what came later counts; a question whose process was killed got one 503, the next its answer`;
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
