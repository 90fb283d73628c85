import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment.ts';
import { command } from '../framework/command.ts';
import { Failure } from '../framework/errors.ts';

/** These need the server's own database, so the server's programs do them; here they are only found and started. */
const programs = {
  serve: fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url)),
  maintain: fileURLToPath(new URL('../../../server/src/maintain.ts', import.meta.url)),
};
const home = fileURLToPath(new URL('../../../..', import.meta.url));

/** Variables of this program, which the server would take for settings of its own. */
const ours = ['MOORING_SERVER', 'MOORING_TOKEN', 'MOORING_PROFILE', 'MOORING_CONFIG_DIR'];

/** In the repository the folder that `npm start` runs in, so that the same settings mean the same files. */
const folder = (): string => (existsSync(path.join(home, 'tools/start.mjs')) ? home : process.cwd());

/** How Node runs the server. */
function serverFlags(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(path.join(home, 'packages/server/package.json'), 'utf8'));
  return (manifest as { config: { flags: string[] } }).config.flags;
}

function start(env: Environment, program: string, flags: string[], words: string[]) {
  if (!existsSync(program)) {
    throw new Failure('The server is not installed here.', {
      advice: `Run this on the machine of the server, with the "mooring" of its folder; it was looked for in ${home}.`,
    });
  }
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !ours.includes(name)));
  // The server stops when the channel closes, so it ends with this process, however that ends.
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
  return spawn(process.execPath, [...flags, program, ...words], { cwd: folder(), env: settings, stdio });
}

async function maintain(env: Environment, words: string[]): Promise<number> {
  const child = start(env, programs.maintain, [], words);
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function serve(env: Environment): Promise<number> {
  const child = start({ MALLOC_ARENA_MAX: '2', ...env }, programs.serve, serverFlags(), []);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal sends it to both; sent twice, the server would not wait for what it is doing.
  process.on('SIGINT', () => undefined);
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const flags = (options: Record<string, string | boolean | undefined>, names: string[]): string[] =>
  names.filter((name) => options[name] === true).map((name) => `--${name}`);

export const maintenanceCommands = [
  command({
    name: 'serve',
    summary: 'Starts the server on this machine; its settings are variables, see docs/configuration.md',
    run: ({ env }) => serve(env),
  }),
  command({
    name: 'doctor',
    summary: 'Checks settings, database, certificate, mail, clock, ports and disk of the server on this machine',
    run: ({ env, options }) => maintain(env, ['doctor', ...flags(options, ['json'])]),
  }),
  command({
    name: 'backup',
    summary: 'Copies the database and the files of the server on this machine to one file, also while it runs',
    arguments: { file: { summary: 'The file to make; it must not exist' } },
    run: ({ env, args, options }) => maintain(env, ['backup', path.resolve(args.file), ...flags(options, ['json'])]),
  }),
  command({
    name: 'restore',
    summary: 'Loads a backup into the server on this machine, with SQLite or PostgreSQL',
    arguments: { file: { summary: 'A file that "mooring backup" made' } },
    options: { force: { summary: 'Delete what is in the database first' } },
    run: ({ env, args, options }) =>
      maintain(env, ['restore', path.resolve(args.file), ...flags(options, ['force', 'json'])]),
  }),
];
