import type { TestEvent } from '@mooring/contract';
import type { Static } from 'typebox';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { conflict } from '../../../kernel/errors.ts';
import { insertEvents, listEventRows, setEvents } from './job-events.store.ts';
import { lockJobRow } from './runner-jobs.store.ts';

const MIB = 1_048_576;

export type JobEvent = Static<typeof TestEvent>;

/** Added once in place of the dropped events. */
const tooMuch = (at: number, limitMb: number): JobEvent => ({
  type: 'device-failed',
  at,
  message: `The events of this test run exceed ${limitMb} MiB; the rest is dropped.`,
});

/** Adds events; repeated events change nothing, a gap is refused. */
export async function writeEvents(
  ctx: Ctx & { job: { id: string } },
  from: number,
  events: readonly JobEvent[],
): Promise<number> {
  return tx(ctx, async (ctx) => {
    const row = await lockJobRow.first(ctx.db, ctx.job);
    const known = row?.event_count ?? 0;
    if (!row || from > known) {
      throw conflict(`The job has ${known} events, so none can be added at ${from}. Continue at ${known}.`);
    }
    const added = events.slice(known - from);
    if (added.length === 0) return known;
    const limit = ctx.config.runnerLogLimitMb * MIB;
    const text = JSON.stringify(added);
    const bytes = row.event_bytes + Buffer.byteLength(text);
    const stored =
      bytes <= limit ? text : JSON.stringify([tooMuch(added[0]?.at ?? ctx.clock.now(), ctx.config.runnerLogLimitMb)]);
    if (row.event_bytes <= limit) {
      await insertEvents.run(ctx.db, { job_id: row.id, attempt: row.attempts, start: known, events: stored });
    }
    const count = known + added.length;
    await setEvents.run(ctx.db, { id: row.id, count, bytes });
    return count;
  });
}

export interface JobEventTexts {
  attempt: number;
  /** JSON arrays, as received. */
  events: string[];
}

/**
 * Reads the events of jobs, from the last attempt that reported any, which supersedes earlier attempts. Not parsed, because
 * they may be large.
 */
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
