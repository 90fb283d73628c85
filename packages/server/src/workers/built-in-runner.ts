import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from './find-program.ts';
import { findSystemUser, isRoot, type SystemUser } from './system-user.ts';

/** What settings say of it. */
export interface BuiltInRunnerSettings {
  builtInRunner: 'off' | 'bubblewrap' | 'host';
  builtInRunnerUser: string | undefined;
  builtInRunnerDir: string;
}

/** Whom it runs as, if that is another than the user of the server; or why it cannot be started, and what helps. */
export type RunnerPlan = { user: SystemUser | undefined } | { problem: string; mend: string };

const USUAL_USER = 'mooring-runner';

export function planRunner({ builtInRunner, builtInRunnerUser }: BuiltInRunnerSettings): RunnerPlan {
  if (builtInRunner === 'bubblewrap' && !findProgram(['bwrap'])) {
    return process.platform === 'linux'
      ? {
          problem: 'bubblewrap is not installed.',
          mend: 'Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora).',
        }
      : {
          problem: 'bubblewrap is for Linux only.',
          mend: 'Set MOORING_BUILT_IN_RUNNER=off, and start a runner as a separate user with "mooring runner start --sandbox host".',
        };
  }
  const name = builtInRunnerUser ?? (isRoot() ? USUAL_USER : undefined);
  const user = name === undefined ? undefined : findSystemUser(name);
  if (name !== undefined && !user) {
    return { problem: `There is no user ${name} on this machine.`, mend: `Make one: useradd --system ${name}.` };
  }
  const isOther = user !== undefined && user.uid !== process.getuid?.();
  if (isOther && !isRoot()) {
    return {
      problem: `Only root can start it as ${name}.`,
      mend: 'Unset MOORING_BUILT_IN_RUNNER_USER, or start a runner of its own as that user.',
    };
  }
  if (builtInRunner === 'host' && !isOther) {
    return {
      problem: 'Without a sandbox, builds could read all that the server may.',
      mend: 'Name another user with MOORING_BUILT_IN_RUNNER_USER, or take bubblewrap.',
    };
  }
  return { user: isOther ? user : undefined };
}

/** What it knows of itself between two starts, as `mooring runner register` writes it. */
export interface RunnerState {
  server: string;
  id: string;
  name: string;
  token: string;
}

export const stateFile = ({ builtInRunnerDir }: Pick<BuiltInRunnerSettings, 'builtInRunnerDir'>): string =>
  path.join(builtInRunnerDir, 'runner.json');

export function readRunnerState(settings: Pick<BuiltInRunnerSettings, 'builtInRunnerDir'>): RunnerState | undefined {
  try {
    return JSON.parse(readFileSync(stateFile(settings), 'utf8')) as RunnerState;
  } catch {
    return undefined;
  }
}
