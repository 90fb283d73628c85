import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

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
  const rows = stdout.split('\n').slice(0, -1);
  return { code: child.exitCode, stdout, stderr, rows: rows.map((row) => row.split('\t')) };
}
