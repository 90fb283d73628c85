import { Readable } from 'node:stream';
import type { Deps } from '../../context.ts';
import { listPersonalRows, type Person, personalTables } from '../../db/rows/personal-rows.ts';
import { type StreamedFile, streamZip } from '../../workers/zip-writer.ts';

const PAGE = 1000;

const introduction = `All data that this server stores about you: one file for each table of its database, with one JSON
object per line. Times are milliseconds since 1970. Passwords, tokens and links are omitted: the server
stores only their hashes, or they would let anyone who has this file act for you.
`;

async function* readLines(rows: (skip: number) => Promise<Record<string, unknown>[]>) {
  for (let skip = 0; ; skip += PAGE) {
    const page = await rows(skip);
    if (page.length > 0) yield Buffer.from(page.map((row) => `${JSON.stringify(row)}\n`).join(''));
    if (page.length < PAGE) return;
  }
}

const without = (row: Record<string, unknown>, secret: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)));

async function* tableFiles(ctx: Pick<Deps, 'db'>, person: Person): AsyncGenerator<StreamedFile> {
  yield { name: 'README.txt', content: Readable.from([Buffer.from(introduction)]) };
  for (const [table, personal] of personalTables()) {
    const rows = async (skip: number) =>
      (await listPersonalRows(ctx.db, table, personal, person, { skip, limit: PAGE })).map((row) =>
        without(row, personal.secret),
      );
    const lines = readLines(rows);
    const first = await lines.next();
    if (first.done) continue;
    const content = async function* () {
      yield first.value;
      yield* lines;
    };
    yield { name: `${table}.jsonl`, content: content() };
  }
}

/** A zip with one file per table that has rows about the person. */
export const createArchive = (ctx: Pick<Deps, 'db'>, person: Person): Readable =>
  Readable.from(streamZip(tableFiles(ctx, person)), { objectMode: false });
