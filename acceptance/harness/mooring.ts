import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { compileCache } from './server.ts';

export const launcher = path.join(import.meta.dirname, '../../packages/cli/bin/mooring.mjs');

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The tab-separated lines of stdout. */
  rows: string[][];
}

/** Runs the command line as a separate process, with only the provided environment. */
export async function runMooring(args: string[], env: Record<string, string>, input = ''): Promise<Result> {
  const child = spawn(process.execPath, [launcher, ...args], { env: { PATH: process.env.PATH, ...env } });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return toResult({ code: child.exitCode, stdout, stderr });
}

const toResult = (printed: Omit<Result, 'rows'>): Result => {
  const rows = printed.stdout.split('\n').slice(0, -1);
  return { ...printed, rows: rows.map((row) => row.split('\t')) };
};

const warm = path.join(import.meta.dirname, '../../test-support/cli-process.ts');
type Answered = Omit<Result, 'rows'> & { id: number };
const running = new Map<string | undefined, ChildProcess>();
let lastId = 0;

/** One per server, because Node reads trusted certificates when a process starts. */
function warmProcess(caFile: string | undefined): ChildProcess {
  const known = running.get(caFile);
  if (known?.connected) return known;
  const env = { PATH: process.env.PATH, ...compileCache, ...(caFile ? { NODE_EXTRA_CA_CERTS: caFile } : {}) };
  const child = spawn(process.execPath, [warm], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.unref();
  child.channel?.unref();
  running.set(caFile, child);
  return child;
}

/** The same in a preloaded process: for tests of commands, not of how a process starts and ends. */
export async function runWarmMooring(args: string[], env: Record<string, string>, input = ''): Promise<Result> {
  const child = warmProcess(env.NODE_EXTRA_CA_CERTS);
  const id = ++lastId;
  const answered = new Promise<Answered>((resolve, reject) => {
    const read = (answer: Answered) => {
      if (answer.id !== id) return;
      child.off('message', read);
      child.off('exit', fail);
      resolve(answer);
    };
    const fail = (code: number | null) =>
      reject(new Error(`The command exited with ${code}: mooring ${args.join(' ')}`));
    child.on('message', read).on('exit', fail);
  });
  child.send({ id, args, env: { PATH: process.env.PATH, ...env }, input });
  const { code, stdout, stderr } = await answered;
  return toResult({ code, stdout, stderr });
}

/** The same for a command that runs until it is stopped. */
export function startMooring(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [launcher, ...args], { env: { PATH: process.env.PATH, ...env } });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      printed[stream] += chunk;
    });
  }
  const ended = once(child, 'close');
  /** Sends SIGINT like Ctrl-C; returns the exit code. */
  const end = async (): Promise<number | null> => {
    child.kill('SIGINT');
    await ended;
    return child.exitCode;
  };
  return { printed, end };
}
