import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/**
 * SQLite keeps a row of more than a kilobyte that lives in its key on a page of its own, somewhere in the file: a log and its
 * stack took four times their size, and each report wrote to two places of a file of gigabytes. Now bodies follow each other.
 */
async function moveBodies(db: Kysely<unknown>): Promise<void> {
  await sql`alter table crash_bodies rename to crash_bodies_before`.execute(db);
  await sql`create table "crash_bodies" ("app_id" text not null, "report_id" text not null,
    "log" blob not null, "stack" blob not null,
    constraint "crash_bodies_key" primary key ("app_id", "report_id"))`.execute(db);
  await sql`insert into crash_bodies (app_id, report_id, log, stack)
    select app_id, report_id, log, stack from crash_bodies_before`.execute(db);
  await sql`drop table crash_bodies_before`.execute(db);
}

/** What happened to an app on each day is counted for itself: adding up thousands of groups takes as long as they are many. */
async function countDays(db: Kysely<unknown>): Promise<void> {
  const table = db.schema
    .createTable('crash_app_days')
    .addColumn('app_id', 'text', (c) => c.notNull())
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('build', 'text', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('crash_app_days_key', ['app_id', 'day', 'kind', 'version', 'build']);
  await clustered(getDialect(db), table).execute();
  await sql`insert into crash_app_days (app_id, day, kind, version, build, count)
    select d.app_id, d.day, g.kind, g.version, g.build, cast(sum(d.count) as bigint)
    from crash_days d join crash_groups g on g.app_id = d.app_id and g.id = d.group_id
    group by d.app_id, d.day, g.kind, g.version, g.build`.execute(db);
}

export const bodiesAndDaysOfReports: Migration = {
  async up(db: Kysely<unknown>) {
    if (getDialect(db) === 'sqlite') await moveBodies(db);
    await countDays(db);
  },
};
