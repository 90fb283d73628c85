import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const jobsAndInvitations: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;

    await schema
      .createTable('jobs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('lease', 'text')
      .addColumn('last_error', 'text')
      .addColumn('failed_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('jobs_by_due_time').on('jobs').columns(['due_at', 'id']).execute();
    await schema.createIndex('jobs_by_lease').on('jobs').column('lease').execute();

    await schema
      .createTable('mails')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('to', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('error', 'text')
      .execute();
    await schema.createIndex('mails_by_time').on('mails').columns(['created_at', 'id']).execute();

    await schema
      .createTable('invitations')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('invited_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('invitations_by_org', ['org_id', 'email_key'])
      .addUniqueConstraint('invitations_by_app', ['app_id', 'email_key'])
      .execute();
    await schema.createIndex('invitations_by_inviter').on('invitations').columns(['invited_by', 'id']).execute();
  },
};
