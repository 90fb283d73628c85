import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database, SnapshotDb } from '../db/open.ts';
import { copiedTables } from '../db/tables.ts';
import { type Content, type Header, writeArchive } from './archive.ts';
import { countRows, pagesOf } from './copy.store.ts';
import { Refusal } from './refusal.ts';

/** Told now and then how far it is. */
export type OnProgress = (done: number, all: number) => void;

const FRAME_BYTES = 256 * 1024;

/** Column kinds are text and numbers; anything else would not come back as it was. */
function toLine(table: string, row: Record<string, unknown>): string {
  for (const [column, value] of Object.entries(row)) {
    const isPlain = value === null || typeof value === 'string' || Number.isFinite(value);
    if (!isPlain) throw new Error(`${table}.${column} holds a ${typeof value}, which a backup cannot carry.`);
  }
  return `${JSON.stringify(row)}\n`;
}

async function* framesOf(db: SnapshotDb, { tables }: Header, onProgress: OnProgress): AsyncGenerator<Content> {
  const all = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const { name } of tables) {
    let lines: string[] = [];
    let size = 0;
    const frame = (): Content => {
      const content = Buffer.from(lines.join(''));
      const made = { frame: { table: name, rows: lines.length, bytes: content.length }, content };
      done += lines.length;
      lines = [];
      size = 0;
      return made;
    };
    for await (const page of pagesOf(db, name)) {
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

export interface BackupOptions {
  file: string;
  program: string;
  now: number;
  onProgress: OnProgress;
}

/** Copies one state of the database into a file, which is there only once it is whole. */
export async function backUp(database: Database, options: BackupOptions): Promise<Header> {
  const { file, program, now, onProgress } = options;
  if (existsSync(file)) throw new Refusal(`${file} exists already.`, 'Choose another name, or move it away.');
  const pending = await database.pendingMigrations();
  if (pending.length > 0) {
    throw new Refusal(
      `The database lacks ${pending.join(', ')}.`,
      'Start the server once with this version, then try again.',
    );
  }
  const migrations = await database.appliedMigrations();
  const draft = `${file}.${randomUUID()}.part`;
  try {
    const header = await database.snapshot(async (db) => {
      const tables: Header['tables'] = [];
      for (const name of copiedTables) tables.push({ name, rows: await countRows(db, name) });
      const made_at = new Date(now).toISOString();
      const made: Header = {
        format: 'mooring-backup',
        version: 1,
        made_at,
        program,
        source: db.dialect,
        migrations,
        tables,
      };
      const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(writeArchive(made, framesOf(db, made, onProgress)), createGzip(), target);
      return made;
    });
    await rename(draft, file);
    return header;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
