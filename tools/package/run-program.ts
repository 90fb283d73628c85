import { spawnSync } from 'node:child_process';

function start(command: string, args: string[], cwd: string, stdout: 'inherit' | 'pipe'): string {
  const done = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return done.stdout ?? '';
  throw new Error(`${command} ${args.join(' ')} failed${done.error ? `: ${done.error.message}` : ''}.`);
}

/** Runs a program until it exits; throws if it fails. */
export const run = (command: string, args: string[], cwd: string): void => void start(command, args, cwd, 'inherit');

/** The same, and returns its output. */
export const output = (command: string, args: string[], cwd: string): string => start(command, args, cwd, 'pipe');
