import { lockRows } from '../../db/portable.ts';
import { insertInto, type RunnersTable, statement } from './runners.tables.ts';

export type RunnerRow = RunnersTable;

export const insertRunner = insertInto('runners');
export const insertCode = insertInto('runner_codes');

/** Whoever deletes it has it. */
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

export const deleteCodesOfApp = statement((q, p: { appId: string }) =>
  q.deleteFrom('runner_codes').where('app_id', '=', p.appId),
);

/** How many jobs each runner has that has any. */
export const countRunning = statement((q) =>
  q
    .selectFrom('runner_jobs')
    .select((e) => ['runner_id', e.fn.countAll<number>().as('count')])
    .where('state', '=', 'running')
    .groupBy('runner_id'),
);

/** Its own alone. */
export const listOwnRunnersOfApp = statement((q, p: { appId: string }) =>
  q.selectFrom('runners').selectAll().where('app_id', '=', p.appId).orderBy('id'),
);

/** Its own, those of its owner, and those of the server. */
export const listRunnersOfApp = statement((q, p: { appId: string; ownerId: string }) =>
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

export const listRunnersOfOrg = statement((q, p: { orgId: string }) =>
  q.selectFrom('runners').selectAll().where('org_id', '=', p.orgId).orderBy('name').orderBy('id'),
);

/** Every runner, with the names of what it serves. */
export const listAllRunners = statement((q) =>
  q
    .selectFrom('runners')
    .leftJoin('apps', 'apps.id', 'runners.app_id')
    .leftJoin('owners as app_owners', 'app_owners.id', 'apps.owner_id')
    .leftJoin('owners as orgs', 'orgs.id', 'runners.org_id')
    .selectAll('runners')
    .select(['apps.name as app_name', 'app_owners.name as owner_name', 'orgs.name as org_name'])
    .orderBy('runners.name')
    .orderBy('runners.id'),
);

/** Of everybody, those that were heard of since. */
export const listRunnersSeen = statement((q, p: { since: number }) =>
  q.selectFrom('runners').selectAll().where('last_seen_at', '>', p.since).orderBy('id'),
);

export const listRunnersOfServer = statement((q) =>
  q
    .selectFrom('runners')
    .selectAll()
    .where('org_id', 'is', null)
    .where('app_id', 'is', null)
    .orderBy('name')
    .orderBy('id'),
);
