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

type Obstacle = Extract<RunnerPlan, { problem: string }>;

const OWN_RUNNER =
  'Set MOORING_BUILT_IN_RUNNER=off, and start a runner as a separate user with "mooring runner start --sandbox host".';

export const noBubblewrap = (platform: NodeJS.Platform): Obstacle =>
  platform === 'linux'
    ? {
        problem: 'bubblewrap is not installed.',
        mend: 'Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora).',
      }
    : { problem: 'bubblewrap is for Linux only.', mend: OWN_RUNNER };

const addUserCommands: Partial<Record<NodeJS.Platform, (name: string) => string>> = {
  linux: (name) => `useradd --system ${name}`,
  darwin: (name) => `sysadminctl -addUser ${name}`,
};

export const noOtherUser: Obstacle = {
  problem: "On Windows the server can't start its runner as another user.",
  mend: OWN_RUNNER,
};

export function noUser(name: string, platform: NodeJS.Platform): Obstacle {
  if (platform === 'win32') return noOtherUser;
  const command = addUserCommands[platform]?.(name);
  return {
    problem: `There is no user ${name} on this machine.`,
    mend: command ? `Create the user: ${command}.` : 'Create the user.',
  };
}

export function planRunner(
  { builtInRunner, builtInRunnerUser }: BuiltInRunnerSettings,
  platform: NodeJS.Platform = process.platform,
): RunnerPlan {
  if (builtInRunner === 'bubblewrap' && !findProgram(['bwrap'])) return noBubblewrap(platform);
  if (platform === 'win32') return noOtherUser;
  const name = builtInRunnerUser ?? (isRoot() ? USUAL_USER : undefined);
  const user = name === undefined ? undefined : findSystemUser(name);
  if (name !== undefined && !user) return noUser(name, platform);
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
      mend:
        platform === 'linux'
          ? 'Name another user with MOORING_BUILT_IN_RUNNER_USER, or take bubblewrap.'
          : 'Name another user with MOORING_BUILT_IN_RUNNER_USER.',
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
