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

/** Runs the command line as a process of its own, with nothing of the environment but what is given. */
export async function runMooring(words: string[], env: Record<string, string>, input = ''): Promise<Result> {
  const child = spawn(process.execPath, [launcher, ...words], { env: { PATH: process.env.PATH, ...env } });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return resultOf({ code: child.exitCode, stdout, stderr });
}

const resultOf = (printed: Omit<Result, 'rows'>): Result => {
  const rows = printed.stdout.split('\n').slice(0, -1);
  return { ...printed, rows: rows.map((row) => row.split('\t')) };
};

const warm = path.join(import.meta.dirname, '../../tools/warm-mooring.ts');
type Answered = Omit<Result, 'rows'> & { id: number };
const running = new Map<string | undefined, ChildProcess>();
let asked = 0;

/** One per server: Node reads the certificates that it trusts when a process starts. */
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

/** The same in a process that has loaded it already: for what commands do, not how a process begins and ends. */
export async function runWarmMooring(words: string[], env: Record<string, string>, input = ''): Promise<Result> {
  const child = warmProcess(env.NODE_EXTRA_CA_CERTS);
  const id = ++asked;
  const answered = new Promise<Answered>((resolve, reject) => {
    const read = (answer: Answered) => {
      if (answer.id !== id) return;
      child.off('message', read);
      child.off('exit', fail);
      resolve(answer);
    };
    const fail = (code: number | null) =>
      reject(new Error(`the command line ended with ${code}: mooring ${words.join(' ')}`));
    child.on('message', read).on('exit', fail);
  });
  child.send({ id, words, env: { PATH: process.env.PATH, ...env }, input });
  const { code, stdout, stderr } = await answered;
  return resultOf({ code, stdout, stderr });
}

/** The same for a command that goes on until somebody ends it. */
export function startMooring(words: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [launcher, ...words], { env: { PATH: process.env.PATH, ...env } });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      printed[stream] += chunk;
    });
  }
  const ended = once(child, 'close');
  /** As Ctrl-C does; says what it exits with. */
  const end = async (): Promise<number | null> => {
    child.kill('SIGINT');
    await ended;
    return child.exitCode;
  };
  return { printed, end };
}
