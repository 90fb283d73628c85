import { insertInto, statement } from '../builds.tables.ts';

export const insertWaiting = insertInto('build_pushes', (insert) => insert.onConflict((c) => c.doNothing()));

export const countWaiting = statement((q, p: { appId: string }) =>
  q
    .selectFrom('build_pushes')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId),
);

export const findWaitingPush = statement((q, p: { appId: string; branch: string }) =>
  q.selectFrom('build_pushes').select('id').where('app_id', '=', p.appId).where('branch', '=', p.branch).limit(1),
);

/** Oldest first. */
export const listWaiting = statement((q, p: { appId: string; limit: number }) =>
  q.selectFrom('build_pushes').selectAll().where('app_id', '=', p.appId).orderBy('id').limit(p.limit),
);

export const listWaitingApps = statement((q) => q.selectFrom('build_pushes').select('app_id').distinct());

export const deleteWaiting = statement((q, p: { appId: string; branch: string; sha: string }) =>
  q
    .deleteFrom('build_pushes')
    .where('app_id', '=', p.appId)
    .where('branch', '=', p.branch)
    .where('commit_sha', '=', p.sha),
);

export const deleteWaitingPushes = statement((q, p: { appId: string }) =>
  q.deleteFrom('build_pushes').where('app_id', '=', p.appId),
);
