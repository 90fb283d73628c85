import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was counted is swept by its hour; a deployment may say when its rollouts are halted. */
export const codepushCurvesAndHalts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('codepush_hours_by_time').on('codepush_hours').columns(['hour']).execute();
    await schema.alterTable('codepush_deployments').addColumn('halt_percent', 'integer').execute();
  },
};
