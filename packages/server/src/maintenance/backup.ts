import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { BlobStore } from '../blobs/index.ts';
import type { Database, SnapshotDb } from '../db/open.ts';
import { toIso } from '../kernel/clock.ts';
import { type Content, type Header, writeArchive } from './archive.ts';
import { bytesToText, copiedTables, countRows, readPages } from './copy.store.ts';
import { Refusal } from './refusal.ts';

/** Called from time to time during a copy. */
export type OnProgress = (done: number, all: number) => void;

const FRAME_BYTES = 256 * 1024;

/** Backups support text, numbers and bytes only; other types would not be restored unchanged. */
function toLine(table: string, row: Record<string, unknown>): string {
  const line: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const isPlain = value === null || typeof value === 'string' || Number.isFinite(value);
    if (!isPlain && !(value instanceof Uint8Array)) {
      throw new Error(`${table}.${column} is a ${typeof value}, which backups do not support.`);
    }
    line[column] = isPlain ? value : bytesToText(value as Uint8Array);
  }
  return `${JSON.stringify(line)}\n`;
}

async function* rowFrames(db: SnapshotDb, { tables }: Header, onProgress: OnProgress): AsyncGenerator<Content> {
  const all = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const { name } of tables) {
    let lines: string[] = [];
    let size = 0;
    const frame = (): Content => {
      const content = Buffer.from(lines.join(''));
      const made = { frame: { table: name, rows: lines.length, bytes: content.length }, content: [content] };
      done += lines.length;
      lines = [];
      size = 0;
      return made;
    };
    for await (const page of readPages(db, name)) {
      for (const row of page) {
        const line = toLine(name, row);
        lines.push(line);
        size += line.length;
        if (size >= FRAME_BYTES) yield frame();
      }
      onProgress(done, all);
    }
    if (lines.length > 0) yield frame();
  }
  onProgress(done, all);
}

/** Removes each copied blob from `awaited`, so those that remain were deleted meanwhile. */
async function* blobFrames(blobs: BlobStore, awaited: Set<string>): AsyncGenerator<Content> {
  for await (const key of blobs.list()) {
    const blob = await blobs.get(key);
    if (!blob) continue;
    awaited.delete(key);
    yield { frame: { blob: key, type: blob.type, bytes: blob.size }, content: blob.stream };
  }
}

export interface BackupOptions {
  file: string;
  program: string;
  now: number;
  onProgress: OnProgress;
}

export interface Backup {
  header: Header;
  blobs: number;
  /** Blobs that existed when the database was copied, but were deleted or replaced before they could be. */
  lost: string[];
}

async function describe(db: SnapshotDb, { program, now }: BackupOptions, migrations: string[]): Promise<Header> {
  const tables: Header['tables'] = [];
  for (const name of copiedTables()) tables.push({ name, rows: await countRows(db, name) });
  const made_at = toIso(now);
  return { format: 'mooring-backup', version: 1, made_at, program, source: db.dialect, migrations, tables };
}

/** Copies a snapshot of the database, and the blobs, into a file. The file gets its name only once it is complete. */
export async function backUp(database: Database, store: BlobStore, options: BackupOptions): Promise<Backup> {
  const { file, onProgress } = options;
  if (existsSync(file)) throw new Refusal(`${file} already exists.`, 'Choose another name, or move that file.');
  const pending = await database.pendingMigrations();
  if (pending.length > 0) {
    throw new Refusal(
      `The database lacks migrations: ${pending.join(', ')}.`,
      'Start the server once with this version, then retry.',
    );
  }
  const migrations = await database.appliedMigrations();
  const draft = `${file}.${randomUUID()}.part`;
  const snapshot = await database.snapshot();
  let blobs = 0;
  try {
    const header = await describe(snapshot, options, migrations);
    const awaited = new Set(await Array.fromAsync(store.list()));
    const frames = async function* () {
      yield* rowFrames(snapshot, header, onProgress);
      // Copying blobs may take long, and an open snapshot keeps the database from freeing space.
      await snapshot.close();
      for await (const frame of blobFrames(store, awaited)) {
        blobs += 1;
        yield frame;
      }
    };
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(writeArchive(header, frames()), createGzip(), target);
    await rename(draft, file);
    return { header, blobs, lost: [...awaited].sort() };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await snapshot.close();
  }
}
