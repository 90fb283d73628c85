import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Cgroup, createCgroup, runInCgroup } from './cgroups.ts';
import { type Limits, watchLimits } from './limits.ts';
import { killOrphans, MARK } from './orphans.ts';

export interface ProcessOptions {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Kills the process and its children. */
  signal: AbortSignal;
  /** Folder of the job. Identifies processes that left the process group. */
  mark?: string;
  /** Content for file descriptor 3. */
  input?: string;
  /** The process is killed if it exceeds a limit, and `onExceeded` gets the reason. */
  limits?: Limits | undefined;
  /** Command to run when the process has ended. */
  after?: readonly string[];
  onExceeded?(reason: string): void;
  /** Returns a function to call when the process has ended. */
  onStart?(pid: number): () => void;
  onOutput(text: string, stream: 'stdout' | 'stderr'): void;
}

const GRACE_MS = 10_000;
const streams = ['stdout', 'stderr'] as const;

/** Windows has no process groups, so only the process itself is killed there. */
const groupId = (pid: number): number => (process.platform === 'win32' ? pid : -pid);

function killGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(groupId(pid), signal);
    return true;
  } catch {
    return false;
  }
}

/** Sends SIGTERM, and SIGKILL after a grace period. */
async function endGroup(pid: number): Promise<void> {
  if (!killGroup(pid, 'SIGTERM')) return;
  for (let waited = 0; waited < GRACE_MS; waited += 100) {
    await setTimeout(100);
    // Signal 0 only checks whether the group still exists.
    try {
      process.kill(groupId(pid), 0);
    } catch {
      return;
    }
  }
  killGroup(pid, 'SIGKILL');
}

/** Ignores errors, as there may be nothing to clean up. */
const runAfter = ([program = '', ...args]: readonly string[], env: Record<string, string>): Promise<void> =>
  new Promise((done) => {
    const child = spawn(program, args, { env, stdio: 'ignore', timeout: 60_000 });
    child.once('error', () => done());
    child.once('exit', () => done());
  });

/** The system counts threads as well. The monitor reports too many processes before this limit is reached. */
const toMaxTasks = ({ processes }: Limits): number => processes * 4 + 50;

/** Runs a program in a new process group, and kills all remaining processes at the end. Returns the exit code. */
export async function runProcess(options: ProcessOptions): Promise<number> {
  const { limits, after } = options;
  // Container programs apply limits themselves.
  const cgroup = limits && !after ? await createCgroup(toMaxTasks(limits)) : undefined;
  try {
    return await runIn(cgroup, options);
  } finally {
    await cgroup?.end();
  }
}

function runIn(cgroup: Cgroup | undefined, options: ProcessOptions): Promise<number> {
  const { command, cwd, env, signal, mark, input, limits, onExceeded, after, onStart, onOutput } = options;
  const [program = '', ...args] = cgroup ? runInCgroup(cgroup, command) : command;
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
        ? watchLimits(child.pid, limits, (reason) => {
            onExceeded?.(reason);
            // Kill immediately, as it may be starting more processes. A sandbox ends with its outermost process.
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
      // Remaining processes would keep the output open and outlive the job.
      if (child.pid) await endGroup(child.pid);
      if (marked !== undefined) await killOrphans(marked);
      if (after) await runAfter(after, env);
      await Promise.race([closed, setTimeout(GRACE_MS, undefined, { ref: false })]);
      for (const output of outputs) output.destroy();
      resolve(code ?? -1);
    });
  });
}
