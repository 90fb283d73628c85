import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { MINUTE, SECOND } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** A program that runs beside this server for as long as it runs. */
export interface DaemonKind {
  name: string;
  command: string;
  args: readonly string[];
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
  /** Checked before each restart. */
  mayRestart(): Promise<boolean>;
  log: Log;
  /** Shortest and longest delay before a restart. */
  waits?: { first: number; most: number };
}

export interface Daemon {
  /** Stops the program and waits for its end. */
  stop(): Promise<void>;
}

const MAX_LINE_LENGTH = 2000;
/** Time to end after SIGTERM, before it is killed. */
const STOP_TIMEOUT = 10 * SECOND;

/**
 * Logs the output. The program's standard input closes when this process ends, however that happens; the program must
 * end then, too.
 */
function begin({ name, command, args, options, log }: DaemonKind): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) log.info({ program: name, pid: child.pid }, `${name} started`);
  child.stdin.on('error', () => undefined);
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) =>
      log.info({ program: name }, line.slice(0, MAX_LINE_LENGTH)),
    );
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  return { child, ended };
}

/** Starts the program and restarts it whenever it ends, with delays that grow if it keeps failing. */
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
      log.warn({ program: name, reason }, `${name} ended, restarting in ${wait / SECOND} s`);
      await pause(wait);
      wait = Math.min(wait * 2, most);
      if (stopping.signal.aborted) return;
      if (!(await mayRestart().catch(() => true))) {
        log.warn({ program: name }, `${name} is not restarted`);
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
      const kill = setTimeout(() => child?.kill('SIGKILL'), STOP_TIMEOUT);
      await done;
      clearTimeout(kill);
    },
  };
}
