import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { MINUTE, SECOND } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** A program of this server's own that does its work beside it, for as long as it runs. */
export interface DaemonKind {
  name: string;
  command: string;
  args: readonly string[];
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
  /** Asked before it is started anew. */
  mayRestart(): Promise<boolean>;
  log: Log;
  /** The shortest and the longest time before it is started anew. */
  waits?: { first: number; most: number };
}

export interface Daemon {
  /** Ends it, and waits for that. */
  stop(): Promise<void>;
}

const LONGEST_LINE = 2000;
/** For what it does to end; then it is killed. */
const PATIENCE = 10 * SECOND;

/** What it prints is logged. Its standard input ends when this process does, however that happens: it must end then, too. */
function begin({ name, command, args, options, log }: DaemonKind): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) log.info({ program: name, pid: child.pid }, `${name} is started`);
  child.stdin.on('error', () => undefined);
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => log.info({ program: name }, line.slice(0, LONGEST_LINE)));
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  return { child, ended };
}

/** Starts it, and anew whenever it has ended by itself: sooner the first time than after many in vain. */
export function keepRunning(kind: DaemonKind): Daemon {
  const { name, log, mayRestart, waits: { first, most } = { first: SECOND, most: MINUTE } } = kind;
  const stopping = new AbortController();
  let running: ChildProcess | undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', done);
        resolve();
      }
      stopping.signal.addEventListener('abort', done);
    });

  async function run(): Promise<void> {
    for (let wait = first; ; ) {
      const startedAt = Date.now();
      const { child, ended } = begin(kind);
      running = child;
      const reason = await ended;
      running = undefined;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > most) wait = first;
      log.warn({ program: name, reason }, `${name} ended; it is started anew in ${wait / SECOND} s`);
      await pause(wait);
      wait = Math.min(wait * 2, most);
      if (stopping.signal.aborted) return;
      if (!(await mayRestart().catch(() => true))) {
        log.warn({ program: name }, `${name} is not started anew`);
        return;
      }
    }
  }

  const done = run();
  return {
    async stop() {
      stopping.abort();
      const child = running;
      child?.kill('SIGTERM');
      const kill = setTimeout(() => child?.kill('SIGKILL'), PATIENCE);
      await done;
      clearTimeout(kill);
    },
  };
}
