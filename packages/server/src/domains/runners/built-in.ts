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

/** What a runner needs of what the server was started with: nothing that is a secret of it. */
const passedOn = ['PATH', 'LANG', 'JAVA_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'NODE_COMPILE_CACHE'];

/** Folders and files of the server that no build may see, wherever they lie. */
const privatePlaces = ({ dataDir, exportFolder, tlsKeyFile }: Deps['config']): string[] =>
  [dataDir, exportFolder === 'off' ? undefined : exportFolder, tlsKeyFile].flatMap((place) =>
    place === undefined ? [] : path.resolve(place),
  );

/** Its own, from the last start, unless it was removed meanwhile; then it is registered anew. */
async function register(ctx: Ctx, server: string): Promise<RunnerState> {
  const known = readRunnerState(ctx.config);
  if (known && (await findRunnerByToken(ctx, known.token))) return { ...known, server };
  const { code } = await inviteRunner(ctx, {});
  const { id, name, token } = await registerRunner(ctx, { code, name: `built-in, ${hostname()}`.slice(0, 100) });
  return { server, id, name, token };
}

/** Readable for its user alone. */
function writeState(ctx: Pick<Deps, 'config'>, state: RunnerState, user: SystemUser | undefined): void {
  const folder = ctx.config.builtInRunnerDir;
  const file = stateFile(ctx.config);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  if (user) for (const own of [folder, `${file}.new`]) chownSync(own, user.uid, user.gid);
  renameSync(`${file}.new`, file);
}

/** A server whose runner cannot be started is a server all the same. */
async function prepare(ctx: Ctx, server: string, user: SystemUser | undefined): Promise<RunnerState> {
  mkdirSync(ctx.config.builtInRunnerDir, { recursive: true, mode: 0o700 });
  const state = await register(ctx, server);
  writeState(ctx, state, user);
  return state;
}

/** A runner of this server's own, if it is switched on: a child process, started anew if it ends. Returns what stops it. */
export async function startBuiltInRunner(ctx: Ctx, httpUrl: string): Promise<(() => Promise<void>) | undefined> {
  const { config, log } = ctx;
  if (config.builtInRunner === 'off' || !config.roles.includes('api')) return undefined;
  const plan = planRunner(config);
  if ('problem' in plan) {
    log.error({ mend: plan.mend }, `the built-in runner is not started: ${plan.problem}`);
    return undefined;
  }
  const state = await prepare(ctx, httpUrl, plan.user).catch((error: Error) => {
    log.error({ mend: 'See MOORING_BUILT_IN_RUNNER_DIR.' }, `the built-in runner is not started: ${error.message}`);
  });
  if (!state) return undefined;
  const kept = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const words = ['--sandbox', config.builtInRunner, '--slots', String(config.builtInRunnerSlots), '--with-parent'];
  const daemon = keepRunning({
    name: 'the built-in runner',
    command: process.execPath,
    args: [program, 'runner', 'start', ...words],
    options: {
      cwd: config.builtInRunnerDir,
      env: {
        ...kept,
        HOME: config.builtInRunnerDir,
        MOORING_RUNNER_DIR: config.builtInRunnerDir,
        MOORING_RUNNER_HIDE: privatePlaces(config).join(path.delimiter),
      },
      ...plan.user,
    },
    // Who removed it does not want it back; the next start of the server registers it anew.
    mayRestart: async () => (await findRunnerByToken(ctx, state.token)) !== undefined,
    log,
  });
  return () => daemon.stop();
}
