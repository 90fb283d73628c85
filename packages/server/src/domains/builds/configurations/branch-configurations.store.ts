import { sql } from 'kysely';
import { lockRows } from '../../../db/portable.ts';
import { type BuildBranchesTable, insertInto, statement } from '../builds.tables.ts';

export type BranchRow = BuildBranchesTable;

export const insertBranch = insertInto('build_branches');

export const findBranch = statement((q, p: { appId: string; branch: string }) =>
  q.selectFrom('build_branches').selectAll().where('app_id', '=', p.appId).where('branch', '=', p.branch),
);

export const lockBranch = statement((q, p: { appId: string; branch: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('build_branches').selectAll().where('app_id', '=', p.appId).where('branch', '=', p.branch),
  ),
);

export const listBranchRows = statement((q, p: { appId: string }) =>
  q.selectFrom('build_branches').selectAll().where('app_id', '=', p.appId).orderBy('branch'),
);

/** Patterns match several branches. */
export const listPatterns = statement((q, p: { appId: string }) =>
  q
    .selectFrom('build_branches')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('branch', 'like', '%*%')
    .orderBy('branch'),
);

export const saveBranch = statement(
  (q, p: { appId: string; branch: string; settings: string; secrets: string; now: number }) =>
    q
      .updateTable('build_branches')
      .set({ settings: p.settings, secrets: p.secrets, changed_at: p.now })
      .where('app_id', '=', p.appId)
      .where('branch', '=', p.branch),
);

export const deleteBranch = statement((q, p: { appId: string; branch: string }) =>
  q.deleteFrom('build_branches').where('app_id', '=', p.appId).where('branch', '=', p.branch),
);

export const deleteBranches = statement((q, p: { appId: string }) =>
  q.deleteFrom('build_branches').where('app_id', '=', p.appId),
);

/** Takes the next number of its kind, and locks the row until the transaction ends. */
export const takeNumber = insertInto('build_counters', (insert) =>
  insert
    .onConflict((c) => c.columns(['app_id', 'name']).doUpdateSet({ last_id: sql<number>`build_counters.last_id + 1` }))
    .returning('last_id'),
);
