import { chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ctx, Deps } from '../../context.ts';
import { planRunner, type RunnerState, readRunnerState, stateFile } from '../../workers/built-in-runner.ts';
import { keepRunning } from '../../workers/daemon.ts';
import type { SystemUser } from '../../workers/system-user.ts';
import { findRunnerByToken, inviteRunner, registerRunner } from './runners.ts';

const program = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url));

/** Environment variables for the runner: none is a secret of the server. */
const passedOn = ['PATH', 'LANG', 'JAVA_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'NODE_COMPILE_CACHE'];

/** Folders and files of the server that builds must not see. */
const privatePlaces = ({ dataDir, exportFolder, tlsKeyFile }: Deps['config']): string[] =>
  [dataDir, exportFolder === 'off' ? undefined : exportFolder, tlsKeyFile].flatMap((place) =>
    place === undefined ? [] : path.resolve(place),
  );

/** Reuses the registration of the last start; registers again if the runner was removed. */
async function register(ctx: Ctx, server: string): Promise<RunnerState> {
  const existing = readRunnerState(ctx.config);
  if (existing && (await findRunnerByToken(ctx, existing.token))) return { ...existing, server };
  const { code } = await inviteRunner(ctx, {});
  const { id, name, token } = await registerRunner(ctx, { code, name: `built-in, ${hostname()}`.slice(0, 100) });
  return { server, id, name, token };
}

/** Readable for the user of the runner only. */
function writeState(ctx: Pick<Deps, 'config'>, state: RunnerState, user: SystemUser | undefined): void {
  const folder = ctx.config.builtInRunnerDir;
  const file = stateFile(ctx.config);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  if (user) for (const own of [folder, `${file}.new`]) chownSync(own, user.uid, user.gid);
  renameSync(`${file}.new`, file);
}

/** If the runner cannot be started, the server runs without it. */
async function prepare(ctx: Ctx, server: string, user: SystemUser | undefined): Promise<RunnerState> {
  mkdirSync(ctx.config.builtInRunnerDir, { recursive: true, mode: 0o700 });
  const state = await register(ctx, server);
  writeState(ctx, state, user);
  return state;
}

/**
 * Starts the built-in runner as a child process, if configured, and restarts it when it ends. Returns a function that stops it.
 */
export async function startBuiltInRunner(ctx: Ctx, httpUrl: string): Promise<(() => Promise<void>) | undefined> {
  const { config, log } = ctx;
  if (config.builtInRunner === 'off' || !config.roles.includes('api')) return undefined;
  const plan = planRunner(config);
  if ('problem' in plan) {
    log.error({ remedy: plan.remedy }, `the built-in runner was not started: ${plan.problem}`);
    return undefined;
  }
  const state = await prepare(ctx, httpUrl, plan.user).catch((error: Error) => {
    log.error({ remedy: 'See MOORING_BUILT_IN_RUNNER_DIR.' }, `the built-in runner was not started: ${error.message}`);
  });
  if (!state) return undefined;
  const environment = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const args = ['--sandbox', config.builtInRunner, '--slots', String(config.builtInRunnerSlots), '--with-parent'];
  const daemon = keepRunning({
    name: 'the built-in runner',
    command: process.execPath,
    args: [program, 'runner', 'start', ...args],
    options: {
      cwd: config.builtInRunnerDir,
      env: {
        ...environment,
        HOME: config.builtInRunnerDir,
        MOORING_RUNNER_DIR: config.builtInRunnerDir,
        MOORING_RUNNER_HIDE: privatePlaces(config).join(path.delimiter),
      },
      ...plan.user,
    },
    // A removed runner is not restarted; the next start of the server registers it again.
    mayRestart: async () => (await findRunnerByToken(ctx, state.token)) !== undefined,
    log,
  });
  return () => daemon.stop();
}
