import { sql } from 'kysely';
import { lockFreeRows } from '../db/portable.ts';
import { statement } from '../db/statement.ts';
import type { JobsTable } from '../db/tables.ts';

export type JobRow = JobsTable;

export const insertJob = statement((q, p: Pick<JobRow, 'id' | 'name' | 'payload' | 'created_at'> & { dueAt: number }) =>
  q.insertInto('jobs').values({
    id: p.id,
    name: p.name,
    payload: p.payload,
    attempts: 0,
    due_at: p.dueAt,
    lease: null,
    last_error: null,
    failed_at: null,
    created_at: p.created_at,
  }),
);

/** For a worker that knows these jobs: whether one is due, and taking those that are, oldest first. */
export const claimStatements = (names: readonly string[]) => ({
  findDue: statement((q, p: { now: number }) =>
    q.selectFrom('jobs').select('id').where('due_at', '<=', p.now).where('name', 'in', names).limit(1),
  ),
  /** Being taken counts as an attempt, so that a job that ends its process each time is given up too. */
  claimDue: statement((q, p: { now: number; lease: string; until: number; limit: number }, dialect) =>
    q
      .updateTable('jobs')
      .set({ lease: p.lease, due_at: p.until, attempts: sql<number>`attempts + 1` })
      .where(
        'id',
        'in',
        lockFreeRows(
          dialect,
          q
            .selectFrom('jobs')
            .select('id')
            .where('due_at', '<=', p.now)
            .where('name', 'in', names)
            .orderBy('due_at')
            .orderBy('id')
            .limit(p.limit),
        ),
      )
      .returning(['id', 'name', 'payload', 'attempts', 'last_error']),
  ),
});

/** Only one that nobody has taken yet. */
export const deleteWaitingJob = statement((q, p: { id: string }) =>
  q.deleteFrom('jobs').where('id', '=', p.id).where('attempts', '=', 0).returning('id'),
);

/** A run of a job: who took it, and at which attempt. Whoever lost the lease changes nothing any more. */
export interface Run {
  id: string;
  lease: string;
  attempts: number;
}

export const renewLeases = statement((q, p: { lease: string; until: number }) =>
  q.updateTable('jobs').set({ due_at: p.until }).where('lease', '=', p.lease),
);

export const deleteJob = statement((q, p: Run) =>
  q.deleteFrom('jobs').where('id', '=', p.id).where('lease', '=', p.lease).where('attempts', '=', p.attempts),
);

export const postponeJob = statement((q, p: Run & { dueAt: number; error: string }) =>
  q
    .updateTable('jobs')
    .set({ due_at: p.dueAt, lease: null, last_error: p.error })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .where('attempts', '=', p.attempts),
);

export const buryJob = statement((q, p: Run & { at: number; error: string }) =>
  q
    .updateTable('jobs')
    .set({ due_at: null, lease: null, last_error: p.error, failed_at: p.at })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .where('attempts', '=', p.attempts),
);

/** Newest first, from just before a position on. */
export const pageDeadJobs = statement((q, p: { before: string; limit: number }) =>
  q
    .selectFrom('jobs')
    .selectAll()
    .where('due_at', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const reviveJob = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('jobs')
    .set({ due_at: p.now, attempts: 0, failed_at: null })
    .where('id', '=', p.id)
    .where('due_at', 'is', null)
    .returning('id'),
);
