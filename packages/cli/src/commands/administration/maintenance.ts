import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../environment.ts';
import { command } from '../../framework/command.ts';
import { Failure } from '../../framework/errors.ts';

/** These commands need direct access to the database, so they start programs of the server. */
const programs = {
  serve: fileURLToPath(new URL('../../../../server/src/main.ts', import.meta.url)),
  maintain: fileURLToPath(new URL('../../../../server/src/maintain.ts', import.meta.url)),
};
const home = fileURLToPath(new URL('../../../../..', import.meta.url));

/** Variables of the command line, which the server would read as its own settings. */
const cliVariables = ['MOORING_SERVER', 'MOORING_TOKEN', 'MOORING_PROFILE', 'MOORING_CONFIG_DIR'];

/** In the repository this is the working directory of `npm start`, so that relative paths in settings mean the same files. */
const folder = (): string => (existsSync(path.join(home, 'tools/start.mjs')) ? home : process.cwd());

/** Node flags of the server. */
function serverFlags(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(path.join(home, 'packages/server/package.json'), 'utf8'));
  return (manifest as { config: { flags: string[] } }).config.flags;
}

function start(env: Environment, program: string, flags: string[], args: string[]) {
  if (!existsSync(program)) {
    throw new Failure("Can't find the server on this machine.", {
      advice: `Run this on the machine of the server, with the "mooring" command in its folder. Searched in ${home}.`,
    });
  }
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !cliVariables.includes(name)));
  // The server stops when the IPC channel closes, so it can't outlive this process.
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
  return spawn(process.execPath, [...flags, program, ...args], { cwd: folder(), env: settings, stdio });
}

async function maintain(env: Environment, args: string[]): Promise<number> {
  const child = start(env, programs.maintain, [], args);
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function serve(env: Environment): Promise<number> {
  const child = start({ MALLOC_ARENA_MAX: '2', ...env }, programs.serve, serverFlags(), []);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal sends SIGINT to both processes. Forwarding it too would make the server stop without finishing its work.
  process.on('SIGINT', () => undefined);
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const flags = (options: Record<string, string | boolean | undefined>, names: string[]): string[] =>
  names.filter((name) => options[name] === true).map((name) => `--${name}`);

export const maintenanceCommands = [
  command({
    name: 'serve',
    summary: 'Start the server on this machine; see docs/configuration.md for its settings',
    run: ({ env }) => serve(env),
  }),
  command({
    name: 'doctor',
    summary: 'Check settings, database, certificate, mail server, clock, ports and disk of the server on this machine',
    run: ({ env, options }) => maintain(env, ['doctor', ...flags(options, ['json'])]),
  }),
  command({
    name: 'backup',
    summary: 'Back up the database and files of the server on this machine to one file, even while it runs',
    arguments: { file: { summary: 'Path of the backup, which must not exist' } },
    run: ({ env, args, options }) => maintain(env, ['backup', path.resolve(args.file), ...flags(options, ['json'])]),
  }),
  command({
    name: 'restore',
    summary: 'Restore a backup into the server on this machine, into SQLite or PostgreSQL',
    arguments: { file: { summary: 'Backup created by "mooring backup"' } },
    options: { force: { summary: 'Delete all data in the database first' } },
    run: ({ env, args, options }) =>
      maintain(env, ['restore', path.resolve(args.file), ...flags(options, ['force', 'json'])]),
  }),
];
