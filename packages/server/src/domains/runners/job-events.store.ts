import { insertInto, statement } from './runners.tables.ts';

export const insertEvents = insertInto('runner_job_events');

export const setEvents = statement((q, p: { id: string; count: number; bytes: number }) =>
  q.updateTable('runner_jobs').set({ event_count: p.count, event_bytes: p.bytes }).where('id', '=', p.id),
);

export const listEventRows = statement((q, p: { jobId: string }) =>
  q
    .selectFrom('runner_job_events')
    .select(['attempt', 'events'])
    .where('job_id', '=', p.jobId)
    .where(
      'attempt',
      '=',
      q
        .selectFrom('runner_job_events as last')
        .select((e) => e.fn.max('last.attempt').as('attempt'))
        .where('last.job_id', '=', p.jobId),
    )
    .orderBy('start'),
);
