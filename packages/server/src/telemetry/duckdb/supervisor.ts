import { type ChildProcess, fork } from 'node:child_process';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import type { ChildOptions, Order, Reply, Request } from './protocol.ts';

/** An idle child is ended after this time; the next query starts it again. */
const IDLE = 300 * SECOND;
/** Time for the child to interrupt a query itself, before it is killed. */
const GRACE = 10 * SECOND;

export interface Supervisor {
  /** Starts the child if necessary. If it ends, its requests fail with 503. */
  send(order: Order, limitMs: number): Promise<unknown>;
  /** Process ID of the child, for monitoring. */
  pid(): number | undefined;
  close(): Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

interface Running {
  process: ChildProcess;
  waiting: Map<number, Waiting>;
  ended: Promise<void>;
}

export function supervise(
  options: ChildOptions,
  log: Log,
  { graceMs = GRACE, idleMs = IDLE }: { graceMs?: number; idleMs?: number } = {},
): Supervisor {
  let running: Running | undefined;
  let isClosed = false;
  let requests = 0;
  let idle: NodeJS.Timeout | undefined;
  let resting: Promise<void> | undefined;

  function start(): Running {
    const child = fork(new URL('./child.ts', import.meta.url), [JSON.stringify(options)], {
      // Without the settings of the server, which contain secrets, and without its flags.
      env: { MALLOC_ARENA_MAX: '2', TZ: 'UTC', ...compileCache() },
      execArgv: ['--max-old-space-size=256'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const waiting = new Map<number, Waiting>();
    let complaints = '';
    child.stderr?.on('data', (text: Buffer) => {
      complaints = (complaints + text.toString()).slice(-2000);
    });
    child.on('message', (reply: Reply | 'ready') => {
      if (reply === 'ready') return;
      const pending = waiting.get(reply.id);
      if (!pending) return;
      waiting.delete(reply.id);
      clearTimeout(pending.timer);
      if (waiting.size === 0) rest();
      if ('result' in reply) pending.resolve(reply.result);
      else pending.reject(toFailure(reply));
    });
    const ended = new Promise<void>((done) => {
      const end = (code: number | null, signal: string | null) => {
        if (running?.process === child) running = undefined;
        if (waiting.size > 0) log.error({ code, signal, complaints }, 'the telemetry process ended');
        for (const { reject, timer } of waiting.values()) {
          clearTimeout(timer);
          reject(unavailable('The telemetry process ended and is restarting. Retry in a moment.'));
        }
        waiting.clear();
        done();
      };
      child.once('exit', end);
      child.once('error', (err) => {
        log.error({ err }, 'failed to start the telemetry process');
        end(null, null);
      });
    });
    return { process: child, waiting, ended };
  }

  async function end({ process: child, ended }: Running): Promise<void> {
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), 2 * SECOND);
    await ended;
    clearTimeout(timer);
  }

  function rest(): void {
    idle = setTimeout(() => {
      if (running) resting = end(running);
    }, idleMs).unref();
  }

  return {
    async send(order, limitMs) {
      // A child that is being ended would not respond.
      await resting;
      if (isClosed) throw unavailable('The server is stopping. Retry in a moment.');
      running ??= start();
      const { process: child, waiting } = running;
      const request: Request = { id: ++requests, limitMs, order };
      clearTimeout(idle);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), limitMs + graceMs).unref();
        waiting.set(request.id, { resolve, reject, timer });
        // If sending fails, the end of the process rejects the request.
        child.send(request, () => undefined);
      });
    },
    pid: () => running?.process.pid,
    async close() {
      isClosed = true;
      clearTimeout(idle);
      if (running) await end(running);
    },
  };
}

const compileCache = () =>
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

function toFailure({ error, isTimeout }: Extract<Reply, { error: string }>): Error {
  if (isTimeout) return unavailable('The query took too long. Query fewer days, or retry later.');
  if (/^Out of Memory/i.test(error)) return unavailable('The query needs too much memory. Query fewer days.');
  if (/No space left on device|File too large/i.test(error))
    return unavailable("The server's disk is full. Ask an administrator to free space, then retry.");
  return new Error(`telemetry query failed: ${error}`);
}
