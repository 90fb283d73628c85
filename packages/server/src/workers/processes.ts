import { type ChildProcess, fork } from 'node:child_process';
import { SECOND } from '../kernel/clock.ts';
import { canceled } from '../kernel/concurrency/fair-pool.ts';
import { unavailable } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { createCrew, type Share } from './crew.ts';
import { isOutOfMemory, memoryLimit } from './memory-limit.ts';
import type { Reply } from './serve-requests.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Work on untrusted files that could take much time or memory runs in a separate process, which can be killed. A thread
 * may not even respond to that once it has used up its memory.
 */
export interface ProcessKind<Q, A> {
  /** Description for messages: "the process that reads symbols". */
  readonly name: string;
  readonly file: URL;
  /** Limit of the JavaScript heap. */
  readonly memoryMb: number;
  /** Additional limit for buffers, such as whole files (default `memoryMb`). */
  readonly buffersMb?: number;
  /** Time limit for one request. */
  readonly limitMs: number;
  /** Processes of this kind that run concurrently (default 2). */
  readonly count?: number;
  /** Exists only as a type. */
  readonly handles?: (question: Q) => A;
}

export const defineProcess = <Q, A>(kind: ProcessKind<Q, A>): ProcessKind<Q, A> => kind;

/** The request took too much time or memory. Retrying does not help. */
export class WorkerLimit extends Error {
  override name = 'WorkerLimit';
}

export interface Process<Q, A> {
  /** Each process handles one request at a time, so that the limit counts only its own work. */
  request(question: Q, share: Share): Promise<A>;
  close(): Promise<void>;
}

const IDLE = 300 * SECOND;

interface Waiting<A> {
  resolve(answer: A): void;
  reject(error: Error): void;
}

const stopping = () => unavailable('The server is stopping. Retry in a moment.');

interface Member<Q, A> {
  request(question: Q, signal: AbortSignal | undefined): Promise<A>;
  close(): void;
}

/** Processes of one kind, shared fairly by owners. */
export function superviseProcess<Q, A>(kind: ProcessKind<Q, A>, log: Log, idleMs = IDLE): Process<Q, A> {
  const crew = createCrew(kind.count ?? 2, () => superviseMember(kind, log, idleMs));
  let isClosed = false;
  return {
    async request(question, share) {
      return crew.run(share, (member) => {
        if (isClosed) throw stopping();
        return member.request(question, share.signal);
      });
    },
    async close() {
      isClosed = true;
      for (const member of crew.workers()) member.close();
    },
  };
}

/** Starts the process when it is needed, and again after it has ended. */
function superviseMember<Q, A>(
  { name, file, memoryMb, buffersMb = memoryMb, limitMs }: ProcessKind<Q, A>,
  log: Log,
  idleMs: number,
): Member<Q, A> {
  const maxMb = memoryMb + buffersMb;
  let running: ChildProcess | undefined;
  let waiting: Waiting<A> | undefined;
  let idle: NodeJS.Timeout | undefined;

  const tooMuch = () => new WorkerLimit(`The file takes more than ${memoryMb} MB of memory to process.`);

  function end(reason: Error): void {
    const child = running;
    running = undefined;
    child?.kill('SIGKILL');
    waiting?.reject(reason);
  }

  function start(): ChildProcess {
    const cache = process.env.NODE_COMPILE_CACHE;
    const child = fork(file, [], {
      // Without the settings of the server, which contain secrets, and without its flags.
      env: { TZ: 'UTC', ...memoryLimit(maxMb), ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaints = '';
    child.stderr?.on('data', (text: Buffer) => {
      complaints = (complaints + text.toString()).slice(-4000);
    });
    const ended = (code: number | string | null): void => {
      if (running !== child) return;
      const isMemory = isOutOfMemory(complaints);
      if (!isMemory && waiting) log.error({ code, complaints }, `${name} ended`);
      const message = `${name} ended and is restarting. Retry in a moment.`;
      end(isMemory ? tooMuch() : unavailable(message));
    };
    child.unref();
    child.channel?.unref();
    return child
      .on('message', (reply: Reply) => {
        // A late response does not belong to the next request.
        if (running !== child) return;
        if ('result' in reply) waiting?.resolve(reply.result as A);
        // Ended to release its memory.
        else if (isOutOfMemory(reply.error)) end(tooMuch());
        else waiting?.reject(reply.isUnreadable ? new Unreadable(reply.error) : new Error(`${name}: ${reply.error}`));
      })
      .on('error', (error) => ended(error.message))
      .on('close', (code, signal) => ended(signal ?? code));
  }

  async function request(question: Q, signal: AbortSignal | undefined): Promise<A> {
    clearTimeout(idle);
    running ??= start();
    const child = running;
    const timer = setTimeout(() => end(new WorkerLimit(`Processing took longer than ${limitMs / SECOND} s.`)), limitMs);
    const cancel = () => end(canceled());
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<A>((resolve, reject) => {
        waiting = { resolve, reject };
        // If sending fails, the end of the process rejects the request.
        child.send(question as object, () => undefined);
      });
    } finally {
      waiting = undefined;
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      idle = setTimeout(() => end(new Error('idle')), idleMs).unref();
    }
  }

  return {
    request,
    close() {
      clearTimeout(idle);
      end(stopping());
    },
  };
}
