import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { SECOND } from '../kernel/clock.ts';
import { canceled } from '../kernel/concurrency/fair-pool.ts';
import type { Log } from '../kernel/log.ts';
import { createCrew, type Share } from './crew.ts';
import { findProgram } from './find-program.ts';
import { WorkerLimit } from './processes.ts';

/** An external program that responds to each line with one line, and handles several requests. */
export interface ProgramKind {
  readonly name: string;
  /** The first installed one is used. */
  readonly commands: readonly string[];
  /** Programs in the same folder, for packages that add only those to the PATH. */
  readonly besides?: readonly string[];
  /** It writes its output only when its input ends, so it is started for every request. */
  readonly respondsAtEnd?: boolean;
  readonly args: readonly string[];
  readonly memoryMb: number;
  /** Time limit for one request. */
  readonly limitMs: number;
}

/** Programs of one kind that run concurrently. */
const COUNT = 2;

export const defineProgram = (kind: ProgramKind): ProgramKind => kind;

export class ProgramEnded extends Error {
  override name = 'ProgramEnded';
}

export interface Program {
  /** Path at the start of the server; undefined if it is not installed. */
  readonly path: string | undefined;
  /** Returns one line for each, in order. Rejects with `ProgramEnded` or `WorkerLimit`. */
  request(lines: readonly string[], share: Share): Promise<string[]>;
  close(): Promise<void>;
}

/** Path of the program, if installed. */
export function findKind(
  { commands, besides = [] }: ProgramKind,
  folders = process.env.PATH ?? '',
): string | undefined {
  const others = besides.flatMap((beside) => findProgram([beside], folders) ?? []);
  const places = others.map((other) => path.dirname(realpathSync(other)));
  return findProgram(commands, [folders, ...places].join(path.delimiter));
}

const IDLE = 300 * SECOND;
/** Limit of a response, in characters: it is held in memory, and a hostile file can make it long. */
const MAX_ANSWER_LENGTH = 4_194_304;

interface Waiting {
  lines: string[];
  /** Characters received so far. */
  length: number;
  expected: number;
  resolve(lines: string[]): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

const stopping = () => new ProgramEnded('The server is stopping.');

interface Member {
  request(lines: readonly string[], signal: AbortSignal | undefined): Promise<string[]>;
  close(): void;
}

/** Programs of one kind, shared fairly by owners. */
export function superviseProgram(kind: ProgramKind, log: Log, folders?: string): Program {
  const file = findKind(kind, folders);
  const crew = createCrew(COUNT, () => superviseMember(kind, file ?? '', log));
  let isClosed = false;
  return {
    path: file,
    async request(lines, share) {
      if (!file) throw new ProgramEnded(`${kind.name} is not installed.`);
      if (lines.length === 0) return [];
      return crew.run(share, (member) => {
        if (isClosed) throw stopping();
        return member.request(lines, share.signal);
      });
    },
    async close() {
      isClosed = true;
      for (const member of crew.workers()) member.close();
    },
  };
}

/** Starts the program when needed, and again after it has ended. */
function superviseMember(kind: ProgramKind, file: string, log: Log): Member {
  const { name, args, respondsAtEnd = false, memoryMb, limitMs } = kind;
  // Limits the memory that hostile files can use. Part of util-linux, which every Debian has.
  const limiter = findProgram(['prlimit']);
  let running: ChildProcess | undefined;
  let waiting: Waiting | undefined;
  let idle: NodeJS.Timeout | undefined;

  const settle = (end: (pending: Waiting) => void): void => {
    const pending = waiting;
    if (!pending) return;
    waiting = undefined;
    clearTimeout(pending.timer);
    end(pending);
  };

  function start(command: string): ChildProcess {
    const limits = limiter ? [limiter, `--as=${memoryMb * 1_048_576}`, '--core=0', '--'] : [];
    const [first = command, ...rest] = [...limits, command, ...args];
    const child = spawn(first, rest, { env: { LC_ALL: 'C.UTF-8' }, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      // Late output does not belong to the next request.
      if (running !== child) return;
      if (waiting) waiting.length += chunk.length;
      if (!waiting || waiting.length > MAX_ANSWER_LENGTH) {
        end();
        settle(({ reject }) => reject(new WorkerLimit(`${name} returned more than ${MAX_ANSWER_LENGTH} characters.`)));
        return;
      }
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        waiting?.lines.push(line);
        if (waiting && waiting.lines.length === waiting.expected) settle(({ resolve, lines }) => resolve(lines));
      }
    });
    child.stdin.on('error', () => undefined);
    const ended = (reason: string): void => {
      if (running !== child) return;
      running = undefined;
      if (waiting) log.warn({ program: file, reason }, `${name} ended during a request`);
      settle(({ reject }) => reject(new ProgramEnded(`${name} ended (${reason}).`)));
    };
    // A program that responds at its end may have exited before its output is read.
    child.once(respondsAtEnd ? 'close' : 'exit', (code: number | null, signal: string | null) =>
      ended(signal ?? String(code)),
    );
    child.once('error', (error) => ended(error.message));
    return child;
  }

  const end = (): void => {
    const child = running;
    running = undefined;
    child?.kill('SIGKILL');
  };

  function request(lines: readonly string[], signal: AbortSignal | undefined): Promise<string[]> {
    clearTimeout(idle);
    running ??= start(file);
    const { stdin } = running;
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const stop = (reason: Error) => {
      end();
      settle(({ reject }) => reject(reason));
    };
    const timer = setTimeout(() => stop(new WorkerLimit(`${name} took longer than ${limitMs / SECOND} s.`)), limitMs);
    const cancel = () => stop(canceled());
    signal?.addEventListener('abort', cancel, { once: true });
    waiting = { lines: [], length: 0, expected: lines.length, resolve, reject, timer };
    stdin?.write(`${lines.join('\n')}\n`);
    if (respondsAtEnd) stdin?.end();
    return promise.finally(() => {
      signal?.removeEventListener('abort', cancel);
      if (respondsAtEnd) end();
      else idle = setTimeout(end, IDLE).unref();
    });
  }

  return {
    request,
    close() {
      clearTimeout(idle);
      end();
      settle(({ reject }) => reject(stopping()));
    },
  };
}
