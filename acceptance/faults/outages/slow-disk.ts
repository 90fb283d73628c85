import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../tools/programs.mjs';
import { send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { type Dialect, type Installation, withInstallation } from '../installation.ts';
import { checkAcknowledged, openWork, startLoad, writeApp } from './outage.ts';

export interface SlowDisk {
  dialect: Dialect;
  seconds: number;
  /** The added delay of each sync to disk. */
  delayMs: number;
}

const MAX_TRIES = 50;

const getParent = (pid: number): number =>
  Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** The processes that write to the disk of the database; new ones are children of the first. */
async function listWriters({ dialect, rows }: Installation, server: RunningServer): Promise<number[]> {
  if (dialect === 'sqlite') return [server.process.pid ?? 0];
  const pids = (await rows('SELECT pid FROM pg_stat_activity')).map(({ pid }) => Number(pid));
  return [getParent(pids[0] ?? 0), ...pids];
}

/** Only root may stop any process. */
export const canSlowDisks = (): boolean => findProgram('strace') !== undefined && process.getuid?.() === 0;

/** Delays each fsync of these processes and their descendants; returns a function that ends it. */
async function slowDown(pids: readonly number[], delayMs: number): Promise<() => Promise<void>> {
  const program = findProgram('strace');
  assert.ok(program, 'strace is not installed.');
  const syncs = 'fsync,fdatasync';
  const injection = ['-e', `trace=${syncs}`, '-e', `inject=${syncs}:delay_enter=${delayMs * 1000}`];
  const args = ['-f', '-o', '/dev/null', ...injection, ...pids.flatMap((pid) => ['-p', String(pid)])];
  const tracer = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  tracer.stderr.on('data', (chunk) => {
    output += chunk;
  });
  while (!pids.every((pid) => output.includes(`Process ${pid} attached`))) {
    assert.equal(tracer.exitCode, null, output);
    await sleep(20);
  }
  return async () => {
    const ended = once(tracer, 'exit');
    tracer.kill('SIGINT');
    await ended;
  };
}

/** The disk under the database becomes slow, and then fast again: users wait, but no request is rejected or lost. */
export const slowDisk = ({ dialect, seconds, delayMs }: SlowDisk): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const env = { ...installation.settings.env, MOORING_RATE_LIMIT: '0', MOORING_LOG_LEVEL: 'error' };
    const server = await startServer({ ...installation.settings, env });
    const acknowledged = new Set<string>();
    try {
      const work = await openWork(server);
      const timeWrite = async (name: string) => {
        const start = performance.now();
        const { status, text } = await writeApp(work, name);
        assert.equal(status, 201, text);
        acknowledged.add(name);
        return performance.now() - start;
      };
      const load = startLoad(work, acknowledged);
      await sleep(1000);
      const before = load.counts.done;
      const speedUp = await slowDown(await listWriters(installation, server), delayMs);
      const slow = await timeWrite('app-slow');
      assert.ok(slow >= delayMs, `A change took only ${slow} ms, so the disk is not slow.`);
      await sleep(seconds * 1000);
      const probes = await Promise.all(['/healthz', '/readyz'].map((path) => send('GET', server.httpUrl + path)));
      assert.deepEqual(
        probes.map(({ status }) => status),
        [200, 200],
      );
      const during = load.counts.done - before;
      await speedUp();
      await sleep(500);
      await load.stop();
      // On a slow disk, each change takes at least the delay, so one faster change is enough; a busy machine delays
      // some.
      let after = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < MAX_TRIES && after >= delayMs; tries++) after = await timeWrite(`app-after-${tries}`);
      assert.ok(after < delayMs, `A change still takes ${after} ms.`);
      assert.deepEqual([...load.messages], [], 'A request was rejected.');
      await checkAcknowledged(installation, acknowledged);
      assert.equal(server.output().includes('unexpected error'), false, server.output());
      return `${dialect}: each fsync took ${delayMs} ms longer for ${seconds} s: ${during} responses in that time, all correct, the longest wait ${load.longest().toFixed(0)} ms; a change took ${slow.toFixed(0)} ms, and ${after.toFixed(0)} ms afterwards; all ${acknowledged.size} acknowledged changes present`;
    } finally {
      await server.stop({ keepData: true });
    }
  });
