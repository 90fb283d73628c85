import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { Deps } from '../../context.ts';
import { listPersonalRows, type Person, personalTables } from '../../db/personal-rows.ts';

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

/** A zip with a file for each table that has rows about the person. */
export function archiveOf(ctx: Pick<Deps, 'db'>, person: Person): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (err: Error) => output.destroy(err));
  const fill = async (): Promise<void> => {
    zip.addBuffer(Buffer.from(introduction), 'README.txt');
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
      zip.addReadStream(Readable.from(content()), `${table}.jsonl`);
    }
    zip.end();
  };
  fill().catch((err: Error) => output.destroy(err));
  return output;
}
