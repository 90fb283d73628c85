import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Cgroup, makeCgroup, within } from './cgroups.ts';
import { type Limits, watchLimits } from './limits.ts';
import { endStrays, MARK } from './strays.ts';

export interface Started {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Ends it, and all that it has started. */
  signal: AbortSignal;
  /** The folder of the job: by it what left its group is found. */
  mark?: string;
  /** What it reads from its descriptor 3. */
  input?: string;
  /** Whoever passes them is ended at once, and `onExceeded` told why. */
  limits?: Limits | undefined;
  /** Run when it has ended. */
  after?: readonly string[];
  onExceeded?(words: string): void;
  /** What it returns is called when the process has ended. */
  onStart?(pid: number): () => void;
  onOutput(text: string, stream: 'stdout' | 'stderr'): void;
}

const GRACE = 10_000;
const streams = ['stdout', 'stderr'] as const;

/** Windows has no groups of processes: only the process itself ends there. */
const groupId = (pid: number): number => (process.platform === 'win32' ? pid : -pid);

function killGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(groupId(pid), signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks first, and does not ask twice. */
async function endGroup(pid: number): Promise<void> {
  if (!killGroup(pid, 'SIGTERM')) return;
  for (let waited = 0; waited < GRACE; waited += 100) {
    await setTimeout(100);
    // 0 only looks whether somebody of the group is left.
    try {
      process.kill(groupId(pid), 0);
    } catch {
      return;
    }
  }
  killGroup(pid, 'SIGKILL');
}

/** Whatever becomes of it: there may be nothing to be done. */
const runAfter = ([program = '', ...args]: readonly string[], env: Record<string, string>): Promise<void> =>
  new Promise((done) => {
    const child = spawn(program, args, { env, stdio: 'ignore', timeout: 60_000 });
    child.once('error', () => done());
    child.once('exit', () => done());
  });

/** The system counts threads, too; whoever looks sees what is too much before this is reached. */
const tasksOf = ({ processes }: Limits): number => processes * 4 + 50;

/** Runs a program in a process group of its own; nothing of it is left when this returns. Says its exit code. */
export async function runProcess(started: Started): Promise<number> {
  const { limits, after } = started;
  // A container is counted by whoever makes it.
  const cgroup = limits && !after ? await makeCgroup(tasksOf(limits)) : undefined;
  try {
    return await runIn(cgroup, started);
  } finally {
    await cgroup?.end();
  }
}

function runIn(cgroup: Cgroup | undefined, started: Started): Promise<number> {
  const { command, cwd, env, signal, mark, input, limits, onExceeded, after, onStart, onOutput } = started;
  const [program = '', ...args] = cgroup ? within(cgroup, command) : command;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(-1);
    const marked = mark === undefined ? undefined : `${mark}#${randomUUID()}`;
    const child = spawn(program, args, {
      cwd,
      env: marked === undefined ? env : { ...env, [MARK]: marked },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(input === undefined ? [] : ['pipe' as const])],
    });
    const written = child.stdio[3] as Writable | undefined;
    written?.on('error', () => undefined).end(input);
    const outputs = streams.flatMap((name) => child[name] ?? []);
    outputs.forEach((output, at) => {
      const decoder = new TextDecoder();
      output.on('data', (chunk: Buffer) =>
        onOutput(decoder.decode(chunk, { stream: true }), at === 0 ? 'stdout' : 'stderr'),
      );
    });
    const end = () => void (child.pid && endGroup(child.pid));
    const onEnd = child.pid ? onStart?.(child.pid) : undefined;
    const unwatch =
      limits && child.pid
        ? watchLimits(child.pid, limits, (words) => {
            onExceeded?.(words);
            // Without asking: it may be starting more just now. With the outermost process of a sandbox all of it ends.
            if (child.pid) killGroup(child.pid, 'SIGKILL');
          })
        : () => undefined;
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      signal.removeEventListener('abort', end);
      reject(error);
    });
    const closed = new Promise((done) => child.once('close', done));
    child.once('exit', async (code) => {
      unwatch();
      onEnd?.();
      signal.removeEventListener('abort', end);
      // What it left behind would hold its output open, and outlive the job.
      if (child.pid) await endGroup(child.pid);
      if (marked !== undefined) await endStrays(marked);
      if (after) await runAfter(after, env);
      await Promise.race([closed, setTimeout(GRACE, undefined, { ref: false })]);
      for (const output of outputs) output.destroy();
      resolve(code ?? -1);
    });
  });
}
