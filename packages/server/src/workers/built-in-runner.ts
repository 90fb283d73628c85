import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseOwnJson } from '../kernel/text/json.ts';
import { findProgram } from './find-program.ts';
import { findSystemUser, isRoot, type SystemUser } from './system-user.ts';

export interface BuiltInRunnerSettings {
  builtInRunner: 'off' | 'bubblewrap' | 'host';
  builtInRunnerUser: string | undefined;
  builtInRunnerDir: string;
}

/** The user that the runner runs as, if not the server's; or why it can't be started, with a remedy. */
export type RunnerPlan = { user: SystemUser | undefined } | { problem: string; remedy: string };

const DEFAULT_USER = 'mooring-runner';

type Obstacle = Extract<RunnerPlan, { problem: string }>;

const OWN_RUNNER =
  'Set MOORING_BUILT_IN_RUNNER=off and start a runner as a separate user with "mooring runner start --sandbox host".';

export const noBubblewrap = (platform: NodeJS.Platform): Obstacle =>
  platform === 'linux'
    ? {
        problem: 'bubblewrap is not installed.',
        remedy: 'Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora).',
      }
    : { problem: 'bubblewrap is for Linux only.', remedy: OWN_RUNNER };

const addUserCommands: Partial<Record<NodeJS.Platform, (name: string) => string>> = {
  linux: (name) => `useradd --system ${name}`,
  darwin: (name) => `sysadminctl -addUser ${name}`,
};

export const noOtherUser: Obstacle = {
  problem: "On Windows the server can't start its runner as another user.",
  remedy: OWN_RUNNER,
};

export function noUser(name: string, platform: NodeJS.Platform): Obstacle {
  if (platform === 'win32') return noOtherUser;
  const command = addUserCommands[platform]?.(name);
  return {
    problem: `There is no user ${name} on this machine.`,
    remedy: command ? `Create the user: ${command}.` : 'Create the user.',
  };
}

export function planRunner(
  { builtInRunner, builtInRunnerUser }: BuiltInRunnerSettings,
  platform: NodeJS.Platform = process.platform,
): RunnerPlan {
  if (builtInRunner === 'bubblewrap' && !findProgram(['bwrap'])) return noBubblewrap(platform);
  if (platform === 'win32') return noOtherUser;
  const name = builtInRunnerUser ?? (isRoot() ? DEFAULT_USER : undefined);
  const user = name === undefined ? undefined : findSystemUser(name);
  if (name !== undefined && !user) return noUser(name, platform);
  const isOther = user !== undefined && user.uid !== process.getuid?.();
  if (isOther && !isRoot()) {
    return {
      problem: `Only root can start the runner as user ${name}.`,
      remedy:
        'Unset MOORING_BUILT_IN_RUNNER_USER, or set MOORING_BUILT_IN_RUNNER=off and start a separate runner as that user.',
    };
  }
  if (builtInRunner === 'host' && !isOther) {
    return {
      problem: 'Without a sandbox, builds could read all files of the server.',
      remedy:
        platform === 'linux'
          ? 'Set MOORING_BUILT_IN_RUNNER_USER to another user, or MOORING_BUILT_IN_RUNNER=bubblewrap.'
          : 'Set MOORING_BUILT_IN_RUNNER_USER to another user.',
    };
  }
  return { user: isOther ? user : undefined };
}

/** State of the runner between starts, as `mooring runner register` writes it. */
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
    return parseOwnJson<RunnerState>(readFileSync(stateFile(settings), 'utf8'));
  } catch {
    return undefined;
  }
}
