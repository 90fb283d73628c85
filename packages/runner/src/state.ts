import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The saved registration of a runner. */
export interface RunnerState {
  server: string;
  id: string;
  name: string;
  token: string;
}

export const runnerFolder = (env: Record<string, string | undefined>): string =>
  path.resolve(env.MOORING_RUNNER_DIR || path.join(homedir(), '.local', 'share', 'mooring-runner'));

const getStateFile = (folder: string): string => path.join(folder, 'runner.json');

export function readState(folder: string): RunnerState | undefined {
  try {
    return JSON.parse(readFileSync(getStateFile(folder), 'utf8')) as RunnerState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file that only its owner can read. */
export function writeState(folder: string, state: RunnerState): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${getStateFile(folder)}.new`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, getStateFile(folder));
}
