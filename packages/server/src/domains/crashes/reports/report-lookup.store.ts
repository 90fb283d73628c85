import { statement } from '../crashes.tables.ts';

export const findSentReport = statement((q, p: { appId: string; sentId: string }) =>
  q
    .selectFrom('crash_reports')
    .leftJoin('crash_groups', (join) =>
      join
        .onRef('crash_groups.app_id', '=', 'crash_reports.app_id')
        .onRef('crash_groups.id', '=', 'crash_reports.group_id'),
    )
    .select(['crash_reports.id', 'crash_reports.group_id', 'crash_groups.issue_id'])
    .where('crash_reports.app_id', '=', p.appId)
    .where('crash_reports.sent_id', '=', p.sentId)
    .orderBy('crash_reports.id')
    .limit(1),
);
