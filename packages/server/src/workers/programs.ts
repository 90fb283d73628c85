import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { SECOND } from '../kernel/clock.ts';
import { canceled } from '../kernel/fair-pool.ts';
import type { Log } from '../kernel/log.ts';
import { createCrew, type Share } from './crew.ts';
import { findProgram } from './find-program.ts';
import { WorkerLimit } from './processes.ts';

/** A program of others that answers one line for each line, and stays to be asked again. */
export interface ProgramKind {
  readonly name: string;
  /** The first of these that is installed is used. */
  readonly commands: readonly string[];
  /** Programs that it lies beside, where packages link those alone into the path. */
  readonly besides?: readonly string[];
  /** It keeps its answers to itself until there is nothing more to read: it is started for every question. */
  readonly answersAtEnd?: boolean;
  readonly args: readonly string[];
  readonly memoryMb: number;
  /** For the lines of one question. */
  readonly limitMs: number;
}

/** Programs of one kind that run concurrently. */
const COUNT = 2;

export const defineProgram = (kind: ProgramKind): ProgramKind => kind;

export class ProgramEnded extends Error {
  override name = 'ProgramEnded';
}

export interface Program {
  /** Where it was found when the server started; nothing if it is not installed. */
  readonly path: string | undefined;
  /** A line for each, in their order. Whatever ended it on the way is told by `ProgramEnded` or `WorkerLimit`. */
  ask(lines: readonly string[], share: Share): Promise<string[]>;
  close(): Promise<void>;
}

/** Where it is installed, if it is. */
export function findKind(
  { commands, besides = [] }: ProgramKind,
  folders = process.env.PATH ?? '',
): string | undefined {
  const others = besides.flatMap((beside) => findProgram([beside], folders) ?? []);
  const places = others.map((other) => path.dirname(realpathSync(other)));
  return findProgram(commands, [folders, ...places].join(path.delimiter));
}

const IDLE = 300 * SECOND;
/** Characters in all answers to one question. The server holds them in its memory, and a hostile file can make them long. */
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
  ask(lines: readonly string[], signal: AbortSignal | undefined): Promise<string[]>;
  close(): void;
}

/** Some programs of one kind, shared fairly by owners. */
export function superviseProgram(kind: ProgramKind, log: Log, folders?: string): Program {
  const file = findKind(kind, folders);
  const crew = createCrew(COUNT, () => superviseMember(kind, file ?? '', log));
  let isClosed = false;
  return {
    path: file,
    async ask(lines, share) {
      if (!file) throw new ProgramEnded(`${kind.name} is not installed.`);
      if (lines.length === 0) return [];
      return crew.run(share, (member) => {
        if (isClosed) throw stopping();
        return member.ask(lines, share.signal);
      });
    },
    async close() {
      isClosed = true;
      for (const member of crew.workers()) member.close();
    },
  };
}

/** Starts when needed, and again after it has ended. */
function superviseMember(kind: ProgramKind, file: string, log: Log): Member {
  const { name, args, answersAtEnd = false, memoryMb, limitMs } = kind;
  // Bounds what hostile files can make it take; part of util-linux, which every Debian has.
  const limiter = findProgram(['prlimit']);
  let running: ChildProcess | undefined;
  let waiting: Waiting | undefined;
  let idle: NodeJS.Timeout | undefined;

  const settle = (end: (asker: Waiting) => void): void => {
    const asker = waiting;
    if (!asker) return;
    waiting = undefined;
    clearTimeout(asker.timer);
    end(asker);
  };

  function start(command: string): ChildProcess {
    const limits = limiter ? [limiter, `--as=${memoryMb * 1_048_576}`, '--core=0', '--'] : [];
    const [first = command, ...rest] = [...limits, command, ...args];
    const child = spawn(first, rest, { env: { LC_ALL: 'C.UTF-8' }, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      // What one that has ended had still to say is no answer to the next question.
      if (running !== child) return;
      if (waiting) waiting.length += chunk.length;
      if (!waiting || waiting.length > MAX_ANSWER_LENGTH) {
        end();
        settle(({ reject }) =>
          reject(new WorkerLimit(`${name} answered with more than ${MAX_ANSWER_LENGTH} characters.`)),
        );
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
      if (waiting) log.warn({ program: file, reason }, `${name} ended while it was asked`);
      settle(({ reject }) => reject(new ProgramEnded(`${name} ended (${reason}).`)));
    };
    // When one that answers at its end has exited, its answers may still be on their way.
    child.once(answersAtEnd ? 'close' : 'exit', (code: number | null, signal: string | null) =>
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

  function ask(lines: readonly string[], signal: AbortSignal | undefined): Promise<string[]> {
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
    if (answersAtEnd) stdin?.end();
    return promise.finally(() => {
      signal?.removeEventListener('abort', cancel);
      if (answersAtEnd) end();
      else idle = setTimeout(end, IDLE).unref();
    });
  }

  return {
    ask,
    close() {
      clearTimeout(idle);
      end();
      settle(({ reject }) => reject(stopping()));
    },
  };
}
