import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { containsTerms, selectPage, toCount } from '../../../db/rows/listing.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { type Kind, query, type State, statement, type Tables } from '../crashes.tables.ts';

export type IssueSort = 'last_at' | 'count' | 'device_count';

const shown = [
  'crash_groups.exception_type',
  'crash_groups.message',
  'crash_groups.class_name',
  'crash_groups.method',
  'crash_groups.file',
  'crash_groups.line',
  'crash_groups.frame',
] as const;

/** Issues, sorted, with the properties of their representative group. */
export const pageIssues = (
  db: Db,
  appId: string,
  { kind, state, version, since }: { kind?: Kind; state?: State; version?: string; since?: number },
  listing: Listing<IssueSort>,
) =>
  query(db, (q) => {
    const filtered = <O>(of: SelectQueryBuilder<Tables, 'crash_issues', O>) => {
      let found = of.where('crash_issues.app_id', '=', appId);
      if (kind) found = found.where('crash_issues.kind', '=', kind);
      if (state) found = found.where('crash_issues.state', '=', state);
      if (since !== undefined) found = found.where('crash_issues.last_at', '>=', since);
      if (version === undefined) return found;
      return found.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('crash_groups as versions')
            .select('versions.id')
            .where('versions.app_id', '=', appId)
            .whereRef('versions.issue_id', '=', 'crash_issues.id')
            .where('versions.version', '=', version),
        ),
      );
    };
    const { terms } = listing;
    let found = filtered(q.selectFrom('crash_issues').selectAll('crash_issues'))
      .innerJoin('crash_groups', (join) =>
        join
          .onRef('crash_groups.app_id', '=', 'crash_issues.app_id')
          .onRef('crash_groups.id', '=', 'crash_issues.group_id'),
      )
      .select(shown);
    let counted = filtered(q.selectFrom('crash_issues'));
    if (terms.length > 0) {
      const hasTerms = containsTerms(terms, ['crash_groups.search_key']);
      found = found.where(hasTerms);
      counted = counted.where('crash_issues.group_id', 'in', (eb) =>
        eb
          .selectFrom('crash_groups')
          .select('crash_groups.id')
          .where('crash_groups.app_id', '=', appId)
          .where(hasTerms),
      );
    }
    const key = sql.ref<number>(`crash_issues.${listing.sort}`);
    return selectPage(found, { key, id: sql.ref<string>('crash_issues.id'), counted: toCount(counted) }, listing);
  });

export const findIssueShown = statement((q, p: { appId: string; id: string }) =>
  q
    .selectFrom('crash_issues')
    .innerJoin('crash_groups', (join) =>
      join
        .onRef('crash_groups.app_id', '=', 'crash_issues.app_id')
        .onRef('crash_groups.id', '=', 'crash_issues.group_id'),
    )
    .selectAll('crash_issues')
    .select(shown)
    .where('crash_issues.app_id', '=', p.appId)
    .where('crash_issues.id', '=', p.id),
);

/** Groups of several issues. */
export const listGroupsByIssues = (db: Db, appId: string, issueIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_groups')
      .select(['id', 'issue_id'])
      .where('app_id', '=', appId)
      .where('issue_id', 'in', issueIds),
  );

export const listIssueKeys = statement((q, p: { appId: string; issueId: string }) =>
  q.selectFrom('crash_keys').select('key').where('app_id', '=', p.appId).where('issue_id', '=', p.issueId),
);

export const moveKey = statement((q, p: { appId: string; key: string; issueId: string }) =>
  q.updateTable('crash_keys').set({ issue_id: p.issueId }).where('app_id', '=', p.appId).where('key', '=', p.key),
);

export const moveGroups = statement((q, p: { appId: string; key: string; issueId: string }) =>
  q.updateTable('crash_groups').set({ issue_id: p.issueId }).where('app_id', '=', p.appId).where('key', '=', p.key),
);

export const deleteIssue = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('crash_issues').where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const deleteIssueKeys = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('crash_keys').where('app_id', '=', p.appId).where('issue_id', '=', p.id),
);

export const deleteIssueDevices = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('crash_issue_devices').where('app_id', '=', p.appId).where('issue_id', '=', p.id),
);

/** Recomputes the devices of an issue from its groups. */
export const fillIssueDevices = statement((q, p: { appId: string; id: string }) =>
  q
    .insertInto('crash_issue_devices')
    .columns(['app_id', 'issue_id', 'install_id'])
    .expression(
      q
        .selectFrom('crash_groups')
        .innerJoin('crash_group_devices', (join) =>
          join
            .onRef('crash_group_devices.app_id', '=', 'crash_groups.app_id')
            .onRef('crash_group_devices.group_id', '=', 'crash_groups.id'),
        )
        .select(['crash_groups.app_id', 'crash_groups.issue_id', 'crash_group_devices.install_id'])
        .distinct()
        .where('crash_groups.app_id', '=', p.appId)
        .where('crash_groups.issue_id', '=', p.id),
    ),
);

export const countIssueDevices = statement((q, p: { appId: string; id: string }) =>
  q
    .selectFrom('crash_issue_devices')
    .select(sql<number>`count(*)`.as('devices'))
    .where('app_id', '=', p.appId)
    .where('issue_id', '=', p.id),
);

export const updateIssueCounts = statement(
  (
    q,
    p: {
      appId: string;
      id: string;
      groupId: string;
      count: number;
      devices: number;
      firstAt: number;
      lastAt: number;
      firstVersion: string;
      lastVersion: string;
    },
  ) =>
    q
      .updateTable('crash_issues')
      .set({
        group_id: p.groupId,
        count: p.count,
        device_count: p.devices,
        first_at: p.firstAt,
        last_at: p.lastAt,
        first_version: p.firstVersion,
        last_version: p.lastVersion,
      })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);
