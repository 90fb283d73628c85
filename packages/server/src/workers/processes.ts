import { type ChildProcess, fork } from 'node:child_process';
import { SECOND } from '../kernel/clock.ts';
import { unavailable } from '../kernel/errors.ts';
import { canceled } from '../kernel/fair-pool.ts';
import type { Log } from '../kernel/log.ts';
import type { Reply } from './answer-questions.ts';
import { createCrew, type Share } from './crew.ts';
import { isOutOfMemory, memoryLimit } from './memory-limit.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Work on what others sent that could take long, or much memory: done in a process of its own, which can be ended.
 * A thread cannot: one that has used up its memory may stop answering even to that.
 */
export interface ProcessKind<Q, A> {
  /** As people know what it does: "the process that reads symbols". */
  readonly name: string;
  readonly file: URL;
  /** Of what JavaScript keeps. */
  readonly memoryMb: number;
  /** Of buffers, such as files that are read whole, on top (default as much as `memoryMb`). */
  readonly buffersMb?: number;
  /** For one question. */
  readonly limitMs: number;
  /** Processes of this kind that run concurrently (default 2). */
  readonly count?: number;
  /** Only a type. */
  readonly asks?: (question: Q) => A;
}

export const defineProcess = <Q, A>(kind: ProcessKind<Q, A>): ProcessKind<Q, A> => kind;

/** It took too long, or too much memory; what it was asked is at fault, and asking again does not help. */
export class WorkerLimit extends Error {
  override name = 'WorkerLimit';
}

export interface Process<Q, A> {
  /** Each process answers one question after the other, so that the limit counts only its own work. */
  ask(question: Q, share: Share): Promise<A>;
  close(): Promise<void>;
}

const IDLE = 300 * SECOND;

interface Waiting<A> {
  resolve(answer: A): void;
  reject(error: Error): void;
}

const stopping = () => unavailable('The server is stopping; try again.');

interface Member<Q, A> {
  ask(question: Q, signal: AbortSignal | undefined): Promise<A>;
  close(): void;
}

/** Some processes of one kind, shared fairly by owners. */
export function superviseProcess<Q, A>(kind: ProcessKind<Q, A>, log: Log, idleMs = IDLE): Process<Q, A> {
  const crew = createCrew(kind.count ?? 2, () => superviseMember(kind, log, idleMs));
  let isClosed = false;
  return {
    async ask(question, share) {
      return crew.run(share, (member) => {
        if (isClosed) throw stopping();
        return member.ask(question, share.signal);
      });
    },
    async close() {
      isClosed = true;
      for (const member of crew.workers()) member.close();
    },
  };
}

/** Started when it is needed, and anew after it has ended. */
function superviseMember<Q, A>(
  { name, file, memoryMb, buffersMb = memoryMb, limitMs }: ProcessKind<Q, A>,
  log: Log,
  idleMs: number,
): Member<Q, A> {
  const maxMb = memoryMb + buffersMb;
  let running: ChildProcess | undefined;
  let waiting: Waiting<A> | undefined;
  let idle: NodeJS.Timeout | undefined;

  const tooMuch = () => new WorkerLimit(`It took more than ${memoryMb} MB of memory.`);

  function end(reason: Error): void {
    const child = running;
    running = undefined;
    child?.kill('SIGKILL');
    waiting?.reject(reason);
  }

  function start(): ChildProcess {
    const cache = process.env.NODE_COMPILE_CACHE;
    const child = fork(file, [], {
      // None of the server's settings, which hold secrets, and none of its flags.
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
      const words = `${name} ended and is started again; try again.`;
      end(isMemory ? tooMuch() : unavailable(words));
    };
    child.unref();
    child.channel?.unref();
    return child
      .on('message', (reply: Reply) => {
        // An answer that came too late is none to the next question.
        if (running !== child) return;
        if ('result' in reply) waiting?.resolve(reply.result as A);
        // Ended, so that the memory it took is given back.
        else if (isOutOfMemory(reply.error)) end(tooMuch());
        else waiting?.reject(reply.isUnreadable ? new Unreadable(reply.error) : new Error(`${name}: ${reply.error}`));
      })
      .on('error', (error) => ended(error.message))
      .on('close', (code, signal) => ended(signal ?? code));
  }

  async function ask(question: Q, signal: AbortSignal | undefined): Promise<A> {
    clearTimeout(idle);
    running ??= start();
    const child = running;
    const timer = setTimeout(() => end(new WorkerLimit(`It took longer than ${limitMs / SECOND} s.`)), limitMs);
    const cancel = () => end(canceled());
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<A>((resolve, reject) => {
        waiting = { resolve, reject };
        // What cannot be sent is answered when the end of the process is noticed.
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
    ask,
    close() {
      clearTimeout(idle);
      end(stopping());
    },
  };
}
