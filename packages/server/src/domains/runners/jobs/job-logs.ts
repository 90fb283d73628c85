import { isUtf8 } from 'node:buffer';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, conflict } from '../../../kernel/errors.ts';
import { toSafeLog } from './log-text.ts';
import { findJobRow, insertLogPart, type JobRow, listLogParts, lockJobRow, setLogSize } from './runner-jobs.store.ts';

const MIB = 1_048_576;

type Logged = Pick<JobRow, 'id' | 'log_size'>;

/** Appends text to the log, up to the limit; the rest is only counted. */
async function appendLog(ctx: Ctx, { id, log_size: start }: Logged, bytes: Uint8Array): Promise<void> {
  const limit = ctx.config.runnerLogLimitMb * MIB;
  const size = start + bytes.length;
  if (start < limit) {
    const isCut = size >= limit;
    // PostgreSQL does not store NUL in text.
    const text = toSafeLog(Buffer.from(bytes).toString('utf8').replaceAll('\0', ' '));
    const note = `\n## The log is longer than ${ctx.config.runnerLogLimitMb} MiB; the rest is dropped.\n`;
    await insertLogPart.run(ctx.db, { job_id: id, start, text: isCut ? text + note : text });
  }
  await setLogSize.run(ctx.db, { id, size });
}

/** Appends a line of the server, in the caller's transaction. */
export const addToLog = (ctx: Ctx, row: Logged, text: string): Promise<void> => appendLog(ctx, row, Buffer.from(text));

export interface LogProgress {
  size: number;
  isFull: boolean;
}

/** Appends to the log; repeated parts change nothing, a gap is refused. */
export async function writeLog(
  ctx: Ctx & { job: { id: string } },
  offset: number,
  bytes: Uint8Array,
): Promise<LogProgress> {
  return tx(ctx, async (ctx) => {
    const row = await lockJobRow.first(ctx.db, ctx.job);
    const known = row?.log_size ?? 0;
    if (!row || offset > known) {
      throw conflict(`The log has ${known} bytes, so nothing can be added at ${offset}. Continue at ${known}.`);
    }
    const added = bytes.subarray(known - offset);
    if (!isUtf8(added)) throw badRequest('A log must be UTF-8. Split it between characters.');
    if (added.length > 0) await appendLog(ctx, row, added);
    const size = known + added.length;
    return { size, isFull: size >= ctx.config.runnerLogLimitMb * MIB };
  });
}

export interface LogPart {
  text: string;
  /** Offset for the next read. */
  next: number;
}

/** Reads a part of a log from an offset. */
export async function readLog(
  { db }: Pick<Deps, 'db'>,
  jobId: string,
  from = 0,
  limit = 100,
): Promise<LogPart | undefined> {
  const parts = await listLogParts.all(db, { jobId, from, limit });
  const last = parts.at(-1);
  return last && { text: parts.map(({ text }) => text).join(''), next: last.start + 1 };
}

export async function readWholeLog(deps: Pick<Deps, 'db'>, jobId: string): Promise<string> {
  const texts: string[] = [];
  for (let part = await readLog(deps, jobId); part; part = await readLog(deps, jobId, part.next)) texts.push(part.text);
  return texts.join('');
}

export const logSize = async ({ db }: Pick<Deps, 'db'>, jobId: string): Promise<number> =>
  (await findJobRow.first(db, { id: jobId }))?.log_size ?? 0;
