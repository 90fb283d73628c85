import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment.ts';
import { command } from '../framework/command.ts';
import { Failure } from '../framework/errors.ts';

/** These need the server's own database, so the server's program does them; here it is only found and started. */
const program = fileURLToPath(new URL('../../../server/src/maintain.ts', import.meta.url));
const home = path.resolve(path.dirname(program), '../../..');

/** Variables of this program, which the server would take for settings of its own. */
const ours = ['MOORING_SERVER', 'MOORING_TOKEN', 'MOORING_PROFILE', 'MOORING_CONFIG_DIR'];

/** Runs in the folder that `npm start` runs in, so that the same settings mean the same files. */
async function maintain(env: Environment, words: string[]): Promise<number> {
  if (!existsSync(program)) {
    throw new Failure('The server is not installed here.', {
      advice: `Run this on the machine of the server, with the "mooring" of its folder; it was looked for in ${home}.`,
    });
  }
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !ours.includes(name)));
  const child = spawn(process.execPath, [program, ...words], { cwd: home, env: settings, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const flags = (options: Record<string, string | boolean | undefined>, names: string[]): string[] =>
  names.filter((name) => options[name] === true).map((name) => `--${name}`);

export const maintenanceCommands = [
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
