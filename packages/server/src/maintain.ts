import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, styleText } from 'node:util';
import { createBlobStore } from './blobs/index.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Database, openDatabase } from './db/open.ts';
import { isUnavailable } from './db/portable.ts';
// It declares the tables that are copied.
import './domains.ts';
import { prepareDataFolder } from './kernel/private-files.ts';
import { DamagedBackup, type Header } from './maintenance/archive.ts';
import { backUp, type OnProgress } from './maintenance/backup.ts';
import { databaseFile } from './maintenance/check-services.ts';
import { examineServer } from './maintenance/doctor.ts';
import type { Finding } from './maintenance/findings.ts';
import { Refusal } from './maintenance/refusal.ts';
import { restore } from './maintenance/restore.ts';

/** Maintenance of this machine's server, beside it or without it: doctor, backup, restore. `mooring` starts it. */

const usage = `Usage: node packages/server/src/maintain.ts doctor | backup <file> | restore <file> [--force]   [--json]`;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const note = (line: string): void => void process.stderr.write(`${line}\n`);

function progressLine(verb: string): OnProgress {
  if (!process.stderr.isTTY) return () => undefined;
  let shownAt = 0;
  return (done, all) => {
    const now = performance.now();
    if (done < all && now - shownAt < 100) return;
    shownAt = now;
    process.stderr.write(
      `\r${verb} ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows${done < all ? '' : '\n'}`,
    );
  };
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function printFindings(findings: readonly Finding[], json: boolean): void {
  if (json) {
    say(JSON.stringify({ ok: findings.every(({ state }) => state !== 'fail'), checks: findings }, null, 2));
    return;
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { state, check, message, mend } of findings) {
    say(
      `${styleText(colours[state], state.padEnd(4), { stream: process.stdout })}  ${check.padEnd(width)}  ${message}`,
    );
    if (mend) say(`${' '.repeat(width + 8)}${mend}`);
  }
}

function prepareFolder({ dataDir }: Config): void {
  for (const { message, mend } of prepareDataFolder(dataDir)) note(`${message} Mend it: ${mend}`);
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const location = config.databaseUrl ?? databaseFile(config);
  const database = openDatabase({ location, poolSize: 4, statementTimeout: 0, onWait: note });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const rowsIn = ({ tables }: Header): number => tables.reduce((sum, { rows }) => sum + rows, 0);
const contentOf = ({ header, blobs }: { header: Header; blobs: number }): string =>
  `${rowsIn(header).toLocaleString('en')} rows of ${header.tables.length} tables, and ${blobs.toLocaleString('en')} files`;

async function runBackup(file: string, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl && !existsSync(databaseFile(config))) {
    throw new Refusal(
      `There is no ${databaseFile(config)}.`,
      'Name the data folder of the server in MOORING_DATA_DIR.',
    );
  }
  const options = { file, program: version, now: Date.now(), onProgress: progressLine('Copied') };
  const made = await withDatabase(config, (database) => backUp(database, createBlobStore(config), options));
  if (json) say(JSON.stringify({ file, ...made.header, blobs: made.blobs, lost_blobs: made.lost }, null, 2));
  note(`${file} holds ${contentOf(made)}.`);
  if (made.lost.length > 0) {
    note(`Removed or replaced while the copy was made, and not in it: ${made.lost.join(', ')}.`);
    note('If the backup must hold the state before, make another one.');
  }
  note(`Not in it: your settings, and what ${config.dataDir} holds of keys: secret.key and the folder tls.`);
}

async function runRestore(file: string, { force, json }: { force: boolean; json: boolean }): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl) prepareFolder(config);
  const options = { file, force, onProgress: progressLine('Loaded') };
  const restored = await withDatabase(config, (database) => restore(database, createBlobStore(config), options));
  const { header, blobs, migrated } = restored;
  if (json) say(JSON.stringify({ file, ...header, blobs, migrated }, null, 2));
  const where = config.databaseUrl ? 'PostgreSQL' : databaseFile(config);
  note(`Restored ${contentOf(restored)}, as of ${header.made_at}, into ${where}.`);
  if (migrated.length > 0) note(`Brought it up to date: ${migrated.join(', ')}.`);
}

function explain(error: unknown, file: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal) return `${error.message}\n${error.advice}`;
  if (error instanceof DamagedBackup) return `${file} cannot be restored, and nothing was written. ${error.message}`;
  if (error instanceof ConfigError) return error.message;
  if (isUnavailable(error)) return `The database does not answer (${message}). Try "mooring doctor".`;
  return code ? message : `This is a fault of Mooring: ${(error as Error).stack ?? error}`;
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } },
  });
  const [verb, file, ...rest] = positionals;
  if (verb === 'doctor' && file === undefined) {
    const findings = await examineServer(process.env);
    printFindings(findings, values.json);
    return findings.some(({ state }) => state === 'fail') ? 1 : 0;
  }
  if (file === undefined || rest.length > 0 || (verb !== 'backup' && verb !== 'restore')) {
    note(usage);
    return 2;
  }
  try {
    if (verb === 'backup') await runBackup(file, values.json);
    else await runRestore(file, values);
    return 0;
  } catch (error) {
    note(`mooring: ${explain(error, file)}`);
    return 1;
  }
}

// Whatever is written here, such as a backup, is its owner's alone.
process.umask(0o077);
process.exitCode = await main();
