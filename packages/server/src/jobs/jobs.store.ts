import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { lockFreeRows } from '../db/portable.ts';
import { mentionsTerms, selectPage } from '../db/rows/listing.ts';
import type { Listing } from '../kernel/paging.ts';
import { type JobsTable, query, statement, type Tables } from './jobs.tables.ts';

export type JobRow = JobsTable;

type NewJob = Pick<JobRow, 'id' | 'name' | 'lane' | 'owner' | 'payload' | 'created_at'> & { dueAt: number };

export const insertJob = statement((q, p: NewJob) =>
  q.insertInto('jobs').values({
    id: p.id,
    name: p.name,
    lane: p.lane,
    owner: p.owner,
    payload: p.payload,
    attempts: 0,
    due_at: p.dueAt,
    lease: null,
    last_error: null,
    failed_at: null,
    created_at: p.created_at,
  }),
);

/** Creates the row of a schedule. If its interval was shortened, the next run moves forward. */
export const saveSchedule = statement((q, p: { id: string; name: string; lane: string; now: number; latest: number }) =>
  q
    .insertInto('jobs')
    .values({
      id: p.id,
      name: p.name,
      lane: p.lane,
      owner: '',
      payload: '{}',
      attempts: 0,
      due_at: p.now,
      lease: null,
      last_error: null,
      failed_at: null,
      created_at: p.now,
    })
    .onConflict((c) =>
      c
        .column('id')
        .doUpdateSet({ due_at: p.latest })
        .where('jobs.lease', 'is', null)
        .where('jobs.due_at', '>', p.latest),
    ),
);

/** Statements of a worker, for the known jobs of its lane. */
export const claimStatements = (lane: string, names: readonly string[]) => ({
  /**
   * Owner whose turn it is: the next one in the order of owners that has a due job, or the first one after the last.
   * `busy` is an owner that uses as many slots as one may.
   */
  findNextOwner: statement((q, p: { now: number; last: string; busy: string }) => {
    const due = q
      .selectFrom('jobs')
      .select('owner')
      .where('lane', '=', lane)
      .where('owner', '<>', p.busy)
      .where('due_at', '<=', p.now)
      .where('name', 'in', names)
      .orderBy('owner')
      .limit(1);
    const later = q
      .selectFrom(due.where('owner', '>', p.last).as('later'))
      .select(['owner', sql<number>`0`.as('round')]);
    const first = q.selectFrom(due.as('first')).select(['owner', sql<number>`1`.as('round')]);
    return q.selectFrom(later.unionAll(first).as('next')).select('owner').orderBy('round').limit(1);
  }),
  /**
   * Claims the oldest due job of an owner. Counts as an attempt, so that a job that always crashes its process becomes
   * a dead letter, too.
   */
  claimOldest: statement((q, p: { now: number; owner: string; lease: string; until: number }, dialect) =>
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
            .where('lane', '=', lane)
            .where('owner', '=', p.owner)
            .where('due_at', '<=', p.now)
            .where('name', 'in', names)
            .orderBy('due_at')
            .orderBy('id')
            .limit(1),
        ),
      )
      .returning(['id', 'name', 'owner', 'payload', 'attempts', 'last_error']),
  ),
  /** Rows of a process with an earlier version. */
  findWithoutLane: statement((q) =>
    q.selectFrom('jobs').select('id').where('lane', '=', '').where('name', 'in', names).limit(1),
  ),
  addLane: statement((q) => q.updateTable('jobs').set({ lane }).where('lane', '=', '').where('name', 'in', names)),
});

/** Deletes a job that no worker has claimed yet. */
export const deleteWaitingJob = statement((q, p: { id: string }) =>
  q.deleteFrom('jobs').where('id', '=', p.id).where('attempts', '=', 0).returning('id'),
);

/** A run of a job: its worker and attempt. A worker that lost the lease changes nothing. */
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

export const repeatJob = statement((q, p: Run & { dueAt: number }) =>
  q
    .updateTable('jobs')
    .set({ due_at: p.dueAt, lease: null, attempts: 0, last_error: null })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .where('attempts', '=', p.attempts),
);

export type JobState = 'dead' | 'running' | 'waiting';

/** A job is dead if no worker may claim it, running while a worker has the lease, and waiting otherwise. */
const inState: Record<JobState, (jobs: JobsQuery) => JobsQuery> = {
  dead: (jobs) => jobs.where('due_at', 'is', null),
  running: (jobs) => jobs.where('lease', 'is not', null),
  waiting: (jobs) => jobs.where('due_at', 'is not', null).where('lease', 'is', null),
};
type JobsQuery = SelectQueryBuilder<Tables, 'jobs', JobRow>;

const keys = { created_at: sql.ref<number>('jobs.created_at'), name: sql.ref<string>('jobs.name') };

export const pageJobs = (db: Db, state: JobState, listing: Listing<keyof typeof keys>) =>
  query(db, (q) =>
    selectPage(
      inState[state](q.selectFrom('jobs').selectAll()).where(mentionsTerms(listing.terms, ['name', 'last_error'])),
      { key: keys[listing.sort], id: sql.ref('jobs.id') },
      listing,
    ),
  );

export const countJobRows = statement((q, p: { now: number }) =>
  q
    .selectFrom('jobs')
    .select([
      sql<number>`sum(case when due_at is null then 1 else 0 end)`.as('dead'),
      sql<number>`sum(case when due_at is not null and lease is null then 1 else 0 end)`.as('waiting'),
      sql<number>`sum(case when lease is not null then 1 else 0 end)`.as('running'),
      sql<number | null>`min(case when due_at <= ${p.now} and lease is null then due_at end)`.as('oldestDueAt'),
    ]),
);

/** Changes whenever a job is added, claimed, failed, buried or done. */
export const findJobsVersion = statement((q) =>
  q
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max('id').as('last'),
      fn.sum<number | null>('attempts').as('attempts'),
      fn.count<number>('lease').as('running'),
      fn.sum<number | null>('due_at').as('due'),
    ]),
);

/** The oldest due job with one of these names. Running ones are due only when their lease expires. */
export const findOldestDue = (db: Db, names: readonly string[], now: number) =>
  query(db, (q) =>
    q
      .selectFrom('jobs')
      .select('due_at')
      .where('due_at', '<=', now)
      .where('name', 'in', names)
      .orderBy('due_at')
      .orderBy('id')
      .limit(1),
  );

export const findDeadSince = statement((q, p: { name: string; since: number }) =>
  q
    .selectFrom('jobs')
    .select('id')
    .where('due_at', 'is', null)
    .where('name', '=', p.name)
    .where('failed_at', '>=', p.since)
    .limit(1),
);

export const deleteDeadJobRow = statement((q, p: { id: string }) =>
  q.deleteFrom('jobs').where('id', '=', p.id).where('due_at', 'is', null).returning('name'),
);

export const reviveJob = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('jobs')
    .set({ due_at: p.now, attempts: 0, failed_at: null })
    .where('id', '=', p.id)
    .where('due_at', 'is', null)
    .returning('name'),
);
