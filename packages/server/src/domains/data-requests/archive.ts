import { Readable } from 'node:stream';
import type { Deps } from '../../context.ts';
import { listPersonalRows, type Person, personalTables } from '../../db/personal-rows.ts';
import { type StreamedFile, streamZip } from '../../workers/zip-writer.ts';

const PAGE = 1000;

const introduction = `Everything that this server keeps about you, as it is in its database: a file for each table, in which
each line is a JSON object. Times are milliseconds since 1970. Passwords, tokens and links, of which the
server keeps only hashes or which would let whoever has this file act for you, are left out.
`;

async function* linesOf(rows: (skip: number) => Promise<Record<string, unknown>[]>) {
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
    const lines = linesOf(rows);
    const first = await lines.next();
    if (first.done) continue;
    const content = async function* () {
      yield first.value;
      yield* lines;
    };
    yield { name: `${table}.jsonl`, content: content() };
  }
}

/** A zip with a file for each table that has rows about the person. */
export const archiveOf = (ctx: Pick<Deps, 'db'>, person: Person): Readable =>
  Readable.from(streamZip(tableFiles(ctx, person)), { objectMode: false });
