import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Audiences and saved charts of an app, what its limits cut, and deletion of more than events. */
export const audiencesAndCharts: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const ofApp = (table: string) =>
      clustered(
        getDialect(db),
        schema
          .createTable(table)
          .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade')),
      );

    await ofApp('analytics_forgotten')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('up_to', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_forgotten_key', ['app_id', 'kind', 'value'])
      .execute();
    await sql`insert into analytics_forgotten (app_id, kind, value, up_to)
      select app_id, 'event', name, up_to from analytics_forgotten_events`.execute(db);
    await schema.dropTable('analytics_forgotten_events').execute();

    await ofApp('analytics_audiences')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('definition', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('custom_properties', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_audiences_key', ['app_id', 'name'])
      .execute();

    await ofApp('analytics_charts')
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('question', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_charts_key', ['app_id', 'id'])
      .execute();

    await ofApp('analytics_cuts')
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('limit_name', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_cuts_key', ['app_id', 'day', 'limit_name'])
      .execute();
  },
};
