import type { Db } from '../../../db/open.ts';
import { type BuildRepositoriesTable, insertInto, query, statement } from '../builds.tables.ts';

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
      deploy_key: p.deploy_key,
      deploy_public_key: p.deploy_public_key,
      known_hosts: p.known_hosts,
    }),
  ),
);

/** Trust on first use: never overwrites a key. */
export const saveKnownHosts = statement((q, p: { appId: string; url: string; knownHosts: string }) =>
  q
    .updateTable('build_repositories')
    .set({ known_hosts: p.knownHosts })
    .where('app_id', '=', p.appId)
    .where('url', '=', p.url)
    .where('known_hosts', 'is', null),
);

export const findRepository = statement((q, p: { appId: string }) =>
  q.selectFrom('build_repositories').selectAll().where('app_id', '=', p.appId),
);

export const findRepositoryByHook = statement((q, p: { hookId: string }) =>
  q.selectFrom('build_repositories').selectAll().where('hook_id', '=', p.hookId),
);

export const saveHook = statement((q, p: { appId: string; hookId: string | null; secret: string | null }) =>
  q.updateTable('build_repositories').set({ hook_id: p.hookId, hook_secret: p.secret }).where('app_id', '=', p.appId),
);

export const notePushed = statement((q, p: { appId: string; now: number }) =>
  q.updateTable('build_repositories').set({ pushed_at: p.now }).where('app_id', '=', p.appId),
);

/** Repositories whose last poll is old enough, with continuously built branches. */
export const listPolled = statement((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('build_repositories')
    .select('app_id')
    .where((e) => e.or([e('polled_at', 'is', null), e('polled_at', '<=', p.before)]))
    .where((e) =>
      e.exists(
        e
          .selectFrom('build_branches')
          .select('build_branches.branch')
          .whereRef('build_branches.app_id', '=', 'build_repositories.app_id'),
      ),
    )
    .orderBy('app_id')
    .limit(p.limit),
);

/** So that only one process polls a repository. */
export const claimPoll = statement((q, p: { appId: string; before: number; now: number }) =>
  q
    .updateTable('build_repositories')
    .set({ polled_at: p.now })
    .where('app_id', '=', p.appId)
    .where((e) => e.or([e('polled_at', 'is', null), e('polled_at', '<=', p.before)]))
    .returning('app_id'),
);

export const deleteRepository = statement((q, p: { appId: string }) =>
  q.deleteFrom('build_repositories').where('app_id', '=', p.appId),
);

export const saveRepositoryError = statement(
  (q, p: { appId: string; state: RepositoryRow['state']; trouble: string | null }) =>
    q.updateTable('build_repositories').set({ state: p.state, trouble: p.trouble }).where('app_id', '=', p.appId),
);

/** Only of repositories with credentials. */
export const clearCredentials = statement((q, p: { appId: string; trouble: string }) =>
  q
    .updateTable('build_repositories')
    .set({
      username: null,
      password: null,
      deploy_key: null,
      deploy_public_key: null,
      state: 'unauthorized',
      trouble: p.trouble,
    })
    .where('app_id', '=', p.appId)
    .where((e) => e.or([e('password', 'is not', null), e('deploy_key', 'is not', null)])),
);

export const saveCommit = insertInto('build_commits', (insert) => insert.onConflict((c) => c.doNothing()));

export const findCommits = (db: Db, p: { appId: string; shas: readonly string[] }) =>
  query(db, (q) => q.selectFrom('build_commits').selectAll().where('app_id', '=', p.appId).where('sha', 'in', p.shas));

export const deleteCommits = statement((q, p: { appId: string }) =>
  q.deleteFrom('build_commits').where('app_id', '=', p.appId),
);
