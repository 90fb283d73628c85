import { isAmong } from '../../../db/portable.ts';
import { insertInto, statement } from '../runners.tables.ts';

export const insertEvents = insertInto('runner_job_events');

export const setEvents = statement((q, p: { id: string; count: number; bytes: number }) =>
  q.updateTable('runner_jobs').set({ event_count: p.count, event_bytes: p.bytes }).where('id', '=', p.id),
);

/** Reads the events of the last attempt of each job that reported any. */
export const listEventRows = statement((q, p: { jobIds: string }, dialect) =>
  q
    .selectFrom('runner_job_events')
    .select(['job_id', 'attempt', 'events'])
    .where(isAmong(dialect, 'job_id', p.jobIds))
    .where('attempt', '=', (e) =>
      e
        .selectFrom('runner_job_events as last')
        .select((e) => e.fn.max('last.attempt').as('attempt'))
        .whereRef('last.job_id', '=', 'runner_job_events.job_id'),
    )
    .orderBy('job_id')
    .orderBy('start'),
);
