import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** By what kind of credential somebody acted, and through which client if it was OAuth; unknown for what is older. */
export const auditCredentials: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('audit_events').addColumn('actor_credential', 'text').execute();
    await schema.alterTable('audit_events').addColumn('actor_client_id', 'text').execute();
  },
};
