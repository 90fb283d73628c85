import { createHash } from 'node:crypto';
import type { BlobStore } from '../blobs/index.ts';
import { knownMigrations } from '../db/migrate.ts';
import type { Database, Db } from '../db/open.ts';
import { versionsMigration } from '../db/versions.ts';
import { formatCount } from '../kernel/text/format-count.ts';
import { parseJson } from '../kernel/text/json.ts';
import { type BlobFrame, DamagedBackup, type Header, readArchive } from './archive.ts';
import type { OnProgress } from './backup.ts';
import {
  continueNumbering,
  copiedTables,
  countRows,
  deleteRows,
  insertRows,
  isCounter,
  readCounter,
  writeCounter,
} from './copy.store.ts';
import { Refusal } from './refusal.ts';

/** Reads the whole file once, so that nothing is changed if it can't be restored. */
async function verify(file: string): Promise<Header> {
  let header: Header | undefined;
  const counts = new Map<string, number>();
  for await (const part of readArchive(file)) {
    if ('header' in part) header = part.header;
    else if ('rows' in part) counts.set(part.frame.table, (counts.get(part.frame.table) ?? 0) + part.frame.rows);
  }
  if (!header) throw new DamagedBackup('The file is empty.');
  for (const { name, rows } of header.tables) {
    if ((counts.get(name) ?? 0) !== rows) throw new DamagedBackup(`Rows of table ${name} are missing.`);
    counts.delete(name);
  }
  for (const name of counts.keys()) throw new DamagedBackup(`Its header lacks table ${name}.`);
  return header;
}

/** Migrates the tables to the state they had when the backup was made. Migrations can't be reverted. */
async function prepareTables(database: Database, { migrations }: Header): Promise<void> {
  const unknown = migrations.filter((name) => !knownMigrations.includes(name));
  if (unknown.length > 0) {
    throw new Refusal(
      `The backup was made by a newer version of Mooring; unknown migrations: ${unknown.join(', ')}.`,
      'Restore it with that version.',
    );
  }
  const applied = await database.appliedMigrations();
  const newer = applied.filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new Refusal(
      `The database is newer than the backup; it also has ${newer.join(', ')}.`,
      'Restore into a database without tables; newer migrations are applied afterwards.',
    );
  }
  await database.migrate(migrations.at(-1));
}

async function refuseToOverwrite(db: Db, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const rows = isCounter(name) ? 0 : await countRows(db, name);
    if (rows === 0) continue;
    throw new Refusal(
      `The database is not empty: table ${name} has ${formatCount(rows, 'row')}.`,
      'Restore into an empty database, or use --force to delete everything in this one first.',
    );
  }
}

async function computeDigest(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** Keeps an identical blob that exists already, such as in a bucket that both databases use. */
async function putBlob(
  store: BlobStore,
  { blob, type, bytes }: BlobFrame,
  content: AsyncIterable<Buffer>,
  force: boolean,
) {
  const there = await store.stat(blob);
  if (there && !force) {
    const same = there.size === bytes && there.type === type ? await store.get(blob) : undefined;
    if (same && (await computeDigest(same.stream)) === (await computeDigest(content))) return;
    throw new Refusal(
      `A different file ${blob} already exists.`,
      'Use an empty blob store, or --force to replace files.',
    );
  }
  await store.put(blob, content, { type, maxBytes: bytes });
}

interface Target {
  db: Db;
  store: BlobStore;
  force: boolean;
  onRows(count: number): void;
}

/** Reads the columns of rows, which are JSON objects with the same columns. */
function readColumns(table: string, lines: readonly string[]): string[] {
  try {
    const rows = lines.map((line) => Object.keys(parseJson(line) as object).join());
    if (new Set(rows).size <= 1) return rows[0] ? rows[0].split(',') : [];
  } catch {
    // The error follows below.
  }
  throw new DamagedBackup(`Rows of table ${table} were altered.`);
}

/** Returns the number of blobs. */
async function load(file: string, { db, store, force, onRows }: Target): Promise<number> {
  let blobs = 0;
  for await (const part of readArchive(file)) {
    if ('header' in part) continue;
    if ('content' in part) {
      await putBlob(store, part.frame, part.content, force);
      blobs += 1;
      continue;
    }
    const lines = part.rows.toString('utf8').trimEnd().split('\n');
    const columns = readColumns(part.frame.table, lines);
    await insertRows(db, part.frame.table, columns, `[${lines.join(',')}]`);
    onRows(part.frame.rows);
  }
  return blobs;
}

async function checkCounts(db: Db, { tables }: Header): Promise<void> {
  for (const { name, rows } of tables) {
    const loaded = await countRows(db, name);
    if (loaded !== rows) throw new Error(`Table ${name} has ${loaded} rows after loading, not ${rows}.`);
  }
}

export interface RestoreOptions {
  file: string;
  /** Deletes existing data first. */
  force: boolean;
  onProgress: OnProgress;
}

export interface Restored {
  header: Header;
  blobs: number;
  /** Migrations that were applied to the loaded data. */
  migrated: string[];
}

/** Loads a backup: the whole database in one transaction, committed after the blobs are stored, or nothing. */
export async function restore(database: Database, store: BlobStore, options: RestoreOptions): Promise<Restored> {
  const { file, force, onProgress } = options;
  const header = await verify(file);
  await prepareTables(database, header);
  const names = header.tables.map(({ name }) => name);
  const all = header.tables.reduce((sum, { rows }) => sum + rows, 0);
  const hasVersions = header.migrations.includes(versionsMigration);
  const replace = async (db: Db): Promise<number> => {
    const present = copiedTables().filter((name) => names.includes(name));
    if (!force) await refuseToOverwrite(db, present);
    const counts = new Map<string, number>();
    for (const name of present.filter(isCounter)) counts.set(name, await readCounter(db, name));
    // In the order of the backup: an older one has tables that no longer exist, with rows that migrations added.
    for (const name of names.toReversed()) await deleteRows(db, name);
    let done = 0;
    const onRows = (count: number) => {
      done += count;
      onProgress(done, all);
    };
    const loaded = await load(file, { db, store, force, onRows });
    await checkCounts(db, header);
    await continueNumbering(db);
    // Makes server processes drop cached pages of the old database. The transaction itself raises the versions.
    for (const name of present.filter(isCounter)) {
      await writeCounter(db, name, Math.max(counts.get(name) ?? 0, await readCounter(db, name)) + 1);
    }
    return loaded;
  };
  const blobs = await database.transaction(replace, { hasVersions });
  return { header, blobs, migrated: await database.migrate() };
}
