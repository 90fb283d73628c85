import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { fromStored, textOf, toStored } from '../logs/stored-body.ts';
import { byNumber, type ReadBatch, replaceBatch } from './batches.store.ts';
import { readRows } from './batches.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Rewriting {
  appId: string;
  /** Those that came later stay as they are. */
  last: number;
  /** Whose batches are emptied. */
  installId?: string;
  /** Otherwise which logs go, and whether some of them may be in a text. */
  logs?: { isGone: (log: Fields) => boolean; mayBeIn: (text: string) => boolean };
}

const AT_ONCE = 100;
const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes of JSON that are read before other work has its turn. */
const TURN_AFTER_BYTES = 256 * 1024;

/** What is left of a batch; nothing if all of it is. */
async function leftOf(row: ReadBatch, { installId, logs }: Rewriting): Promise<readonly Fields[] | undefined> {
  if (row.install_id === installId) return [];
  if (!logs) return undefined;
  const text = textOf(await fromStored(row));
  // To parse it costs twenty times as much.
  if (!logs.mayBeIn(text)) return undefined;
  const { logs: all } = JSON.parse(text) as { logs: Fields[] };
  const left = all.filter((log) => !logs.isGone(log));
  return left.length < all.length ? left : undefined;
}

/** Takes logs out of batches that wait here; a batch stays, also without any, because batches are numbered without gaps. */
export async function rewriteBatches(ctx: Ctx, rewriting: Rewriting): Promise<void> {
  const { appId, last } = rewriting;
  for (let after = 0; after < last; ) {
    const { rows } = await readRows(ctx, byNumber, { appId, after, limit: AT_ONCE, mostBytes: MOST_BYTES });
    let parsed = 0;
    for (const row of rows.filter(({ number }) => number <= last)) {
      const left = await leftOf(row, rewriting);
      parsed += row.size;
      if (parsed > TURN_AFTER_BYTES) {
        parsed = 0;
        await setImmediate();
      }
      if (!left) continue;
      const stored = await toStored(Buffer.from(JSON.stringify({ logs: left })));
      const types = [...new Set(left.map(({ type }) => String(type)))].join(' ');
      const install_id = row.install_id === rewriting.installId ? '' : row.install_id;
      const change = { number: row.number, install_id, types, log_count: left.length, ...stored };
      await tx(ctx, ({ db }) => replaceBatch.run(db, { appId, ...change }));
    }
    after = rows.at(-1)?.number ?? last;
    await setImmediate();
  }
}
