import { type ChildProcess, fork } from 'node:child_process';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import type { ChildOptions, Order, Reply, Request } from './protocol.ts';

/** A child that is asked nothing for so long is ended; the next question starts it again. */
const IDLE = 300 * SECOND;
/** How much longer than its limit a question may take to be interrupted, before the child is. */
const GRACE = 10 * SECOND;

export interface Supervisor {
  /** Started when it is needed, and anew after it has ended; what it was doing then fails with 503. */
  tell(order: Order, limitMs: number): Promise<unknown>;
  /** Of the process that runs now, for those who look after it. */
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
      // None of the server's settings, which hold secrets, and none of its flags.
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
      const asker = waiting.get(reply.id);
      if (!asker) return;
      waiting.delete(reply.id);
      clearTimeout(asker.timer);
      if (waiting.size === 0) rest();
      if ('result' in reply) asker.resolve(reply.result);
      else asker.reject(failureOf(reply));
    });
    const ended = new Promise<void>((done) => {
      const end = (code: number | null, signal: string | null) => {
        if (running?.process === child) running = undefined;
        if (waiting.size > 0) log.error({ code, signal, complaints }, 'the process that counts telemetry ended');
        for (const { reject, timer } of waiting.values()) {
          clearTimeout(timer);
          reject(unavailable('The process that counts telemetry ended and is started again; try again.'));
        }
        waiting.clear();
        done();
      };
      child.once('exit', end);
      child.once('error', (err) => {
        log.error({ err }, 'the process that counts telemetry cannot be started');
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
    async tell(order, limitMs) {
      // One that is being ended would not answer.
      await resting;
      if (isClosed) throw unavailable('The server is stopping; try again.');
      running ??= start();
      const { process: child, waiting } = running;
      const request: Request = { id: ++requests, limitMs, order };
      clearTimeout(idle);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), limitMs + graceMs).unref();
        waiting.set(request.id, { resolve, reject, timer });
        // What cannot be sent is answered when the end of the process is noticed.
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

function failureOf({ error, isTimeout }: Extract<Reply, { error: string }>): Error {
  if (isTimeout) return unavailable('This took longer than allowed; ask for fewer days, or try again later.');
  if (/^Out of Memory/i.test(error))
    return unavailable('There is not enough memory to count this; ask for fewer days.');
  if (/No space left on device|File too large/i.test(error))
    return unavailable('This server has no room left on its disk to count this. Its operator has to make some.');
  return new Error(`telemetry could not be counted: ${error}`);
}
