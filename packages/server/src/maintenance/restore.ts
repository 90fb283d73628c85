import { createHash } from 'node:crypto';
import type { BlobStore } from '../blobs/index.ts';
import { knownMigrations } from '../db/migrate.ts';
import type { Database, Db } from '../db/open.ts';
import { versionsMigration } from '../db/versions.ts';
import { type BlobFrame, DamagedBackup, type Header, readArchive } from './archive.ts';
import type { OnProgress } from './backup.ts';
import {
  copiedTables,
  countRows,
  deleteRows,
  goOnCounting,
  insertRows,
  isCounter,
  readCounter,
  writeCounter,
} from './copy.store.ts';
import { Refusal } from './refusal.ts';

/** Reads all of it once, so that nothing is touched for a file that cannot be restored. */
async function verify(file: string): Promise<Header> {
  let header: Header | undefined;
  const counts = new Map<string, number>();
  for await (const part of readArchive(file)) {
    if ('header' in part) header = part.header;
    else if ('rows' in part) counts.set(part.frame.table, (counts.get(part.frame.table) ?? 0) + part.frame.rows);
  }
  if (!header) throw new DamagedBackup('It is empty.');
  for (const { name, rows } of header.tables) {
    if ((counts.get(name) ?? 0) !== rows) throw new DamagedBackup(`It does not hold all rows of the table ${name}.`);
    counts.delete(name);
  }
  for (const name of counts.keys()) throw new DamagedBackup(`It does not announce the table ${name}.`);
  return header;
}

/** Brings the tables to where they were when the backup was made; they can only go forward. */
async function prepareTables(database: Database, { migrations }: Header): Promise<void> {
  const unknown = migrations.filter((name) => !knownMigrations.includes(name));
  if (unknown.length > 0) {
    throw new Refusal(
      `The backup was made by a newer version of Mooring: this one does not know ${unknown.join(', ')}.`,
      'Restore it with that version.',
    );
  }
  const applied = await database.appliedMigrations();
  const newer = applied.filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new Refusal(
      `The database is newer than the backup: it has ${newer.join(', ')}.`,
      'Restore into a database without tables; it is brought up to date afterwards.',
    );
  }
  await database.migrate(migrations.at(-1));
}

async function refuseToOverwrite(db: Db, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const rows = isCounter(name) ? 0 : await countRows(db, name);
    if (rows === 0) continue;
    throw new Refusal(
      `The database is not empty: the table ${name} has ${rows} ${rows === 1 ? 'row' : 'rows'}.`,
      'Restore into an empty database, or delete everything in this one first with --force.',
    );
  }
}

async function digestOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** A blob that is there already, such as in a bucket that both databases use, stays if it is the very same. */
async function putBlob(
  store: BlobStore,
  { blob, type, bytes }: BlobFrame,
  content: AsyncIterable<Buffer>,
  force: boolean,
) {
  const there = await store.stat(blob);
  if (there && !force) {
    const same = there.size === bytes && there.type === type ? await store.get(blob) : undefined;
    if (same && (await digestOf(same.stream)) === (await digestOf(content))) return;
    throw new Refusal(`Another file ${blob} is there already.`, 'Use an empty blob store, or replace it with --force.');
  }
  await store.put(blob, content, { type, maxBytes: bytes });
}

interface Target {
  db: Db;
  store: BlobStore;
  force: boolean;
  onRows(count: number): void;
}

/** The columns of rows, which are JSON objects with the same columns. */
function readColumns(table: string, lines: readonly string[]): string[] {
  try {
    const rows = lines.map((line) => Object.keys(JSON.parse(line) as object).join());
    if (new Set(rows).size <= 1) return rows[0] ? rows[0].split(',') : [];
  } catch {
    // Said below.
  }
  throw new DamagedBackup(`Rows of the table ${table} were altered.`);
}

/** Says how many blobs there are. */
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
    if (loaded !== rows) throw new Error(`The table ${name} has ${loaded} rows after loading, not ${rows}.`);
  }
}

export interface RestoreOptions {
  file: string;
  /** Deletes what is there first. */
  force: boolean;
  onProgress: OnProgress;
}

export interface Restored {
  header: Header;
  blobs: number;
  /** Migrations that were applied to what was loaded. */
  migrated: string[];
}

/** Loads a backup: all of the database in one transaction, which is committed once the blobs are there too, or nothing. */
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
    // In the order of the backup: an older one has tables that are gone by now, with the rows that migrations gave them.
    for (const name of names.toReversed()) await deleteRows(db, name);
    let done = 0;
    const onRows = (count: number) => {
      done += count;
      onProgress(done, all);
    };
    const loaded = await load(file, { db, store, force, onRows });
    await checkCounts(db, header);
    await goOnCounting(db);
    // Server processes that remember pages of the database as it was must forget them; the versions rise by themselves.
    for (const name of present.filter(isCounter)) {
      await writeCounter(db, name, Math.max(counts.get(name) ?? 0, await readCounter(db, name)) + 1);
    }
    return loaded;
  };
  const blobs = await database.transaction(replace, { hasVersions });
  return { header, blobs, migrated: await database.migrate() };
}
