import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import { decodeText } from '../validation/parse-body.ts';
import { byNumber, type ReadBatch, replaceBatch } from './batches.store.ts';
import { readRows } from './batches.ts';
import { fromStored, toStored } from './stored-body.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Rewriting {
  appId: string;
  /** Later batches stay unchanged. */
  last: number;
  /** Empty all batches of this install. */
  installId?: string;
  /** Otherwise, which logs to remove, and whether the text of a batch may contain any. */
  logs?: { isGone: (log: Fields) => boolean; mayBeIn: (text: string) => boolean };
}

const BATCH_SIZE = 100;
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of JSON that are read before other work gets a turn. */
const TURN_AFTER_BYTES = 256 * 1024;

/** Returns the remaining logs of a batch; undefined if all remain. */
async function filterLogs(row: ReadBatch, { installId, logs }: Rewriting): Promise<readonly Fields[] | undefined> {
  if (row.install_id === installId) return [];
  if (!logs) return undefined;
  const text = decodeText(await fromStored(row));
  // Parsing takes twenty times as long.
  if (!logs.mayBeIn(text)) return undefined;
  const { logs: all } = parseOwnJson<{ logs: Fields[] }>(text);
  const left = all.filter((log) => !logs.isGone(log));
  return left.length < all.length ? left : undefined;
}

/** Removes logs from stored batches. Empty batches stay, because numbers have no gaps. */
export async function rewriteBatches(ctx: Ctx, rewriting: Rewriting): Promise<void> {
  const { appId, last } = rewriting;
  for (let after = 0; after < last; ) {
    const { rows } = await readRows(ctx, byNumber, { appId, after, limit: BATCH_SIZE, maxBytes: MAX_BYTES });
    let parsed = 0;
    for (const row of rows.filter(({ number }) => number <= last)) {
      const left = await filterLogs(row, rewriting);
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
