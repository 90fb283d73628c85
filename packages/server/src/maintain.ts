import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, styleText } from 'node:util';
import { createBlobStore } from './blobs/index.ts';
import { type Config, ConfigError } from './config.ts';
import { type Database, openDatabase } from './db/open.ts';
import { isUnavailable } from './db/portable.ts';
import { prepareDataFolder } from './kernel/files/private-files.ts';
import { parseOwnJson } from './kernel/text/json.ts';
import { DamagedBackup, type Header } from './maintenance/archive.ts';
import { backUp, type OnProgress } from './maintenance/backup.ts';
import { databaseFile } from './maintenance/check-services.ts';
import { examineServer } from './maintenance/doctor.ts';
import type { Finding } from './maintenance/findings.ts';
import { Refusal } from './maintenance/refusal.ts';
import { restore } from './maintenance/restore.ts';
// Importing all domains declares the tables to copy.
import { readConfig, settings } from './settings.ts';

/**
 * Maintenance of the server on this machine, whether it runs or not: doctor, backup, restore. `mooring` starts this
 * program.
 */

const usage = `Usage: node packages/server/src/maintain.ts doctor | backup <file> | restore <file> [--force]   [--json]`;

const { version } = parseOwnJson<{ version: string }>(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const note = (line: string): void => void process.stderr.write(`${line}\n`);

function progressLine(operation: string): OnProgress {
  if (!process.stderr.isTTY) return () => undefined;
  let shownAt = 0;
  return (done, all) => {
    const now = performance.now();
    if (done < all && now - shownAt < 100) return;
    shownAt = now;
    process.stderr.write(
      `\r${operation} ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows${done < all ? '' : '\n'}`,
    );
  };
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function printFindings(findings: readonly Finding[], json: boolean): void {
  if (json) {
    // Older scripts read the remedy under its former key.
    const checks = findings.map((finding) => ({ ...finding, mend: finding.remedy }));
    say(JSON.stringify({ ok: findings.every(({ state }) => state !== 'fail'), checks }, null, 2));
    return;
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { state, check, message, remedy } of findings) {
    say(
      `${styleText(colours[state], state.padEnd(4), { stream: process.stdout })}  ${check.padEnd(width)}  ${message}`,
    );
    if (remedy) say(`${' '.repeat(width + 8)}${remedy}`);
  }
}

function prepareFolder({ dataDir }: Config): void {
  for (const { message, remedy } of prepareDataFolder(dataDir)) note(`${message} Fix: ${remedy}`);
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
const formatContent = ({ header, blobs }: { header: Header; blobs: number }): string =>
  `${rowsIn(header).toLocaleString('en')} rows of ${header.tables.length} tables, and ${blobs.toLocaleString('en')} files`;

async function runBackup(file: string, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl && !existsSync(databaseFile(config))) {
    throw new Refusal(
      `No database at ${databaseFile(config)}.`,
      'Set MOORING_DATA_DIR to the data folder of the server.',
    );
  }
  const options = { file, program: version, now: Date.now(), onProgress: progressLine('Copied') };
  const made = await withDatabase(config, (database) => backUp(database, createBlobStore(config), options));
  if (json) say(JSON.stringify({ file, ...made.header, blobs: made.blobs, lost_blobs: made.lost }, null, 2));
  note(`Saved ${formatContent(made)} in ${file}.`);
  if (made.lost.length > 0) {
    note(`Not in the backup, because they were deleted or replaced while it was made: ${made.lost.join(', ')}.`);
    note('If you need these files, make another backup.');
  }
  note(
    `Also save your settings and the keys in ${config.dataDir} (secret.key, tls/): the backup doesn't include them.`,
  );
}

async function runRestore(file: string, { force, json }: { force: boolean; json: boolean }): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl) prepareFolder(config);
  const options = { file, force, onProgress: progressLine('Loaded') };
  const restored = await withDatabase(config, (database) => restore(database, createBlobStore(config), options));
  const { header, blobs, migrated } = restored;
  if (json) say(JSON.stringify({ file, ...header, blobs, migrated }, null, 2));
  const where = config.databaseUrl ? 'PostgreSQL' : databaseFile(config);
  note(`Restored ${formatContent(restored)}, as of ${header.made_at}, into ${where}.`);
  if (migrated.length > 0) note(`Applied migrations: ${migrated.join(', ')}.`);
}

function explain(error: unknown, file: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal) return `${error.message}\n${error.advice}`;
  if (error instanceof DamagedBackup) return `Can't restore ${file}: ${error.message} Nothing was changed.`;
  if (error instanceof ConfigError) return error.message;
  if (isUnavailable(error)) return `Can't connect to the database (${message}). Run "mooring doctor" for details.`;
  return code ? message : `Internal error: ${(error as Error).stack ?? error}`;
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } },
  });
  const [operation, file, ...rest] = positionals;
  if (operation === 'doctor' && file === undefined) {
    const findings = await examineServer(settings, process.env);
    printFindings(findings, values.json);
    return findings.some(({ state }) => state === 'fail') ? 1 : 0;
  }
  if (file === undefined || rest.length > 0 || (operation !== 'backup' && operation !== 'restore')) {
    note(usage);
    return 2;
  }
  try {
    if (operation === 'backup') await runBackup(file, values.json);
    else await runRestore(file, values);
    return 0;
  } catch (error) {
    note(`mooring: ${explain(error, file)}`);
    return 1;
  }
}

// Only the owner may read files written here, such as a backup.
process.umask(0o077);
process.exitCode = await main();
