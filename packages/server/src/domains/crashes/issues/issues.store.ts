import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { type CrashIssuesTable, insertInto, query, type State, statement } from '../crashes.tables.ts';

export const insertApp = insertInto('crash_apps', (insert) => insert.onConflict((c) => c.doNothing()));

export const findApp = statement((q, p: { appId: string }) =>
  q.selectFrom('crash_apps').selectAll().where('app_id', '=', p.appId),
);

export const takeNumbers = statement((q, p: { appId: string; count: number }) =>
  q
    .updateTable('crash_apps')
    .set({ last_number: sql<number>`last_number + ${p.count}` })
    .where('app_id', '=', p.appId)
    .returning('last_number'),
);

export const findKeys = (db: Db, appId: string, keys: readonly string[]) =>
  query(db, (q) =>
    q.selectFrom('crash_keys').select(['key', 'issue_id']).where('app_id', '=', appId).where('key', 'in', keys),
  );

export const findIssues = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) => q.selectFrom('crash_issues').selectAll().where('app_id', '=', appId).where('id', 'in', ids));

export const findGroupsByKeys = (db: Db, appId: string, keys: readonly string[]) =>
  query(db, (q) => q.selectFrom('crash_groups').selectAll().where('app_id', '=', appId).where('key', 'in', keys));

export const findGroups = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) => q.selectFrom('crash_groups').selectAll().where('app_id', '=', appId).where('id', 'in', ids));

export const findGroupsByVersions = (db: Db, appId: string, versions: readonly string[]) =>
  query(db, (q) =>
    q.selectFrom('crash_groups').selectAll().where('app_id', '=', appId).where('version', 'in', versions),
  );

export const saveAwaitedGroup = insertInto('crash_awaited_groups', (insert) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'key']).doUpdateSet((e) => ({
      state: e.ref('excluded.state'),
      annotation: e.ref('excluded.annotation'),
    })),
  ),
);

export const takeAwaitedGroup = statement((q, p: { appId: string; key: string }) =>
  q
    .deleteFrom('crash_awaited_groups')
    .where('app_id', '=', p.appId)
    .where('key', '=', p.key)
    .returning(['state', 'annotation']),
);

export const insertIssue = insertInto('crash_issues');
export const insertKey = insertInto('crash_keys');
export const insertGroup = insertInto('crash_groups');

export const updateIssueState = statement(
  (
    q,
    p: { appId: string; id: string } & Pick<
      CrashIssuesTable,
      'state' | 'closed_version' | 'regressed_version' | 'regressed_at'
    >,
  ) =>
    q
      .updateTable('crash_issues')
      .set({
        state: p.state,
        closed_version: p.closed_version,
        regressed_version: p.regressed_version,
        regressed_at: p.regressed_at,
      })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);

export const updateIssueNote = statement((q, p: { appId: string; id: string; annotation: string }) =>
  q.updateTable('crash_issues').set({ annotation: p.annotation }).where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const updateGroup = statement((q, p: { appId: string; id: string; state: State; annotation: string }) =>
  q
    .updateTable('crash_groups')
    .set({ state: p.state, annotation: p.annotation })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.id),
);

export const updateIssueGroups = statement((q, p: { appId: string; issueId: string; state: State }) =>
  q.updateTable('crash_groups').set({ state: p.state }).where('app_id', '=', p.appId).where('issue_id', '=', p.issueId),
);

export const listIssueGroups = statement((q, p: { appId: string; issueId: string }) =>
  q.selectFrom('crash_groups').selectAll().where('app_id', '=', p.appId).where('issue_id', '=', p.issueId),
);

export const findAlias = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('crash_aliases').select('group_id').where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const findGroup = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('crash_groups').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const findIssue = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('crash_issues').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const deleteGroup = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('crash_groups').where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const insertAlias = insertInto('crash_aliases', (insert) => insert.onConflict((c) => c.doNothing()));

export const moveAliases = statement((q, p: { appId: string; from: string; to: string }) =>
  q.updateTable('crash_aliases').set({ group_id: p.to }).where('app_id', '=', p.appId).where('group_id', '=', p.from),
);

export const updateRules = statement((q, p: { appId: string; rules: string }) =>
  q.updateTable('crash_apps').set({ rules: p.rules }).where('app_id', '=', p.appId),
);

export const updateRetention = statement((q, p: { appId: string; days: number }) =>
  q.updateTable('crash_apps').set({ retention_days: p.days }).where('app_id', '=', p.appId),
);
