import { lockRows } from '../../db/portable.ts';
import { insertInto, type RunnersTable, statement } from './runners.tables.ts';

export type RunnerRow = RunnersTable;

export const insertRunner = insertInto('runners');
export const insertCode = insertInto('runner_codes');

/** Deleting a code redeems it, so it works once. */
export const takeCode = statement((q, p: { codeHash: string }) =>
  q.deleteFrom('runner_codes').where('code_hash', '=', p.codeHash).returning(['org_id', 'app_id', 'expires_at']),
);

export const deleteOldCodes = statement((q, p: { now: number }) =>
  q.deleteFrom('runner_codes').where('expires_at', '<=', p.now),
);

export const findRunnerRowByToken = statement((q, p: { tokenHash: string }) =>
  q.selectFrom('runners').selectAll().where('token_hash', '=', p.tokenHash),
);

export const findRunnerRow = statement((q, p: { id: string }) =>
  q.selectFrom('runners').selectAll().where('id', '=', p.id),
);

export const lockRunnerRow = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('runners').selectAll().where('id', '=', p.id)),
);

export const deleteRunnerRow = statement((q, p: { id: string }) => q.deleteFrom('runners').where('id', '=', p.id));

export const noteSeen = statement((q, p: { id: string; now: number; before: number }) =>
  q
    .updateTable('runners')
    .set({ last_seen_at: p.now })
    .where('id', '=', p.id)
    .where((e) => e.or([e('last_seen_at', 'is', null), e('last_seen_at', '<', p.before)])),
);

export const saveDeclaration = statement(
  (
    q,
    p: {
      id: string;
      labels: string;
      tools: string;
      devices: string;
      version: string;
      slots: number;
      trouble: string | null;
      now: number;
    },
  ) =>
    q
      .updateTable('runners')
      .set({
        labels: p.labels,
        tools: p.tools,
        devices: p.devices,
        version: p.version,
        slots: p.slots,
        trouble: p.trouble,
        last_seen_at: p.now,
      })
      .where('id', '=', p.id),
);

export const deleteAppCodes = statement((q, p: { appId: string }) =>
  q.deleteFrom('runner_codes').where('app_id', '=', p.appId),
);

/** Counts the running jobs of each runner that has any. */
export const countRunning = statement((q) =>
  q
    .selectFrom('runner_jobs')
    .select((e) => ['runner_id', e.fn.countAll<number>().as('count')])
    .where('state', '=', 'running')
    .groupBy('runner_id'),
);

/** Only the runners of the app itself. */
export const listAppOwnRunners = statement((q, p: { appId: string }) =>
  q.selectFrom('runners').selectAll().where('app_id', '=', p.appId).orderBy('id'),
);

/** The runners of the app, of its owner, and of the server. */
export const listAppRunnerRows = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .selectFrom('runners')
    .selectAll()
    .where((e) =>
      e.or([
        e('app_id', '=', p.appId),
        e('org_id', '=', p.ownerId),
        e.and([e('app_id', 'is', null), e('org_id', 'is', null)]),
      ]),
    )
    .orderBy('name')
    .orderBy('id'),
);

export const listOrgRunnerRows = statement((q, p: { orgId: string }) =>
  q.selectFrom('runners').selectAll().where('org_id', '=', p.orgId).orderBy('name').orderBy('id'),
);

/** All runners, with the names of what they serve. */
export const listAllRunners = statement((q) =>
  q
    .selectFrom('runners')
    .leftJoin('app_names', 'app_names.id', 'runners.app_id')
    .leftJoin('owner_names as app_owners', 'app_owners.id', 'app_names.owner_id')
    .leftJoin('owner_names as orgs', 'orgs.id', 'runners.org_id')
    .selectAll('runners')
    .select(['app_names.name as app_name', 'app_owners.name as owner_name', 'orgs.name as org_name'])
    .orderBy('runners.name')
    .orderBy('runners.id'),
);

/** Runners of all owners that were seen since a time. */
export const listRunnersSeen = statement((q, p: { since: number }) =>
  q.selectFrom('runners').selectAll().where('last_seen_at', '>', p.since).orderBy('id'),
);

export const listServerRunnerRows = statement((q) =>
  q
    .selectFrom('runners')
    .selectAll()
    .where('org_id', 'is', null)
    .where('app_id', 'is', null)
    .orderBy('name')
    .orderBy('id'),
);
