import { type BuildRepositoriesTable, insertInto, statement } from './builds.tables.ts';

export type RepositoryRow = BuildRepositoriesTable;

export const saveRepository = insertInto('build_repositories', (insert, p) =>
  insert.onConflict((c) =>
    c.column('app_id').doUpdateSet({
      url: p.url,
      type: p.type,
      kept: p.kept,
      username: p.username,
      password: p.password,
      state: p.state,
      trouble: p.trouble,
    }),
  ),
);

export const findRepository = statement((q, p: { appId: string }) =>
  q.selectFrom('build_repositories').selectAll().where('app_id', '=', p.appId),
);

export const deleteRepository = statement((q, p: { appId: string }) =>
  q.deleteFrom('build_repositories').where('app_id', '=', p.appId),
);

export const saveTrouble = statement((q, p: { appId: string; state: RepositoryRow['state']; trouble: string | null }) =>
  q.updateTable('build_repositories').set({ state: p.state, trouble: p.trouble }).where('app_id', '=', p.appId),
);

export const saveCommit = insertInto('build_commits', (insert) => insert.onConflict((c) => c.doNothing()));

export const findCommit = statement((q, p: { appId: string; sha: string }) =>
  q.selectFrom('build_commits').selectAll().where('app_id', '=', p.appId).where('sha', '=', p.sha),
);

export const deleteCommits = statement((q, p: { appId: string }) =>
  q.deleteFrom('build_commits').where('app_id', '=', p.appId),
);
