import type { TestEvent } from '@mooring/contract';
import type { Static } from 'typebox';
import type { Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict } from '../../kernel/errors.ts';
import { insertEvents, listEventRows, setEvents } from './job-events.store.ts';
import { lockJobRow } from './runner-jobs.store.ts';

const MIB = 1_048_576;

export type JobEvent = Static<typeof TestEvent>;

/** Said once in place of what is too much, so that whoever reads them knows. */
const tooMuch = (at: number, limitMb: number): JobEvent => ({
  type: 'device-failed',
  at,
  message: `What the tests told is longer than ${limitMb} MiB; the rest is not kept.`,
});

/** What was told already changes nothing; a gap is refused. */
export async function writeEvents(
  ctx: Ctx & { job: { id: string } },
  from: number,
  events: readonly JobEvent[],
): Promise<number> {
  return tx(ctx, async (ctx) => {
    const row = await lockJobRow.first(ctx.db, ctx.job);
    const known = row?.event_count ?? 0;
    if (!row || from > known) {
      throw conflict(`${known} events are known, so nothing can be added at ${from}; go on at ${known}.`);
    }
    const added = events.slice(known - from);
    if (added.length === 0) return known;
    const limit = ctx.config.runnerLogLimitMb * MIB;
    const text = JSON.stringify(added);
    const bytes = row.event_bytes + Buffer.byteLength(text);
    const kept =
      bytes <= limit ? text : JSON.stringify([tooMuch(added[0]?.at ?? ctx.clock.now(), ctx.config.runnerLogLimitMb)]);
    if (row.event_bytes <= limit) {
      await insertEvents.run(ctx.db, { job_id: row.id, attempt: row.attempts, start: known, events: kept });
    }
    const count = known + added.length;
    await setEvents.run(ctx.db, { id: row.id, count, bytes });
    return count;
  });
}

export interface JobEventTexts {
  attempt: number;
  /** JSON arrays, as they were received. */
  events: string[];
}

/** By job, of the last attempt that reported anything: it supersedes the one before. Not parsed: it may be large. */
export async function readEventTexts(
  { db }: Pick<Deps, 'db'>,
  jobIds: readonly string[],
): Promise<Map<string, JobEventTexts>> {
  const rows = jobIds.length === 0 ? [] : await listEventRows.all(db, { jobIds: JSON.stringify(jobIds) });
  const texts = new Map<string, JobEventTexts>();
  for (const { job_id, attempt, events } of rows) {
    const known = texts.get(job_id) ?? { attempt, events: [] };
    known.events.push(events);
    texts.set(job_id, known);
  }
  return texts;
}
