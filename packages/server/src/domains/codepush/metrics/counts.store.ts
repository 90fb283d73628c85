import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { type CodepushReportsTable, insertInto, query, statement } from '../codepush.tables.ts';

export const countNames = ['active', 'downloaded', 'installed', 'failed'] as const;
export type Counts = Record<(typeof countNames)[number], number>;

const sums = (table: string) =>
  Object.fromEntries(
    countNames.map((name) => [name, sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
  );

export const addToCounts = insertInto('codepush_counts', (insert) =>
  insert.onConflict((c) => c.columns(['deployment_id', 'label']).doUpdateSet(sums('codepush_counts'))),
);

export const addToHour = insertInto('codepush_hours', (insert) =>
  insert.onConflict((c) => c.columns(['deployment_id', 'hour', 'label']).doUpdateSet(sums('codepush_hours'))),
);

export const listCounts = statement((q, p: { deploymentId: string }) =>
  q.selectFrom('codepush_counts').selectAll().where('deployment_id', '=', p.deploymentId),
);

export const findCounts = statement((q, p: { deploymentId: string; label: string }) =>
  q
    .selectFrom('codepush_counts')
    .select('label')
    .where('deployment_id', '=', p.deploymentId)
    .where('label', '=', p.label),
);

export const countLabels = statement((q, p: { deploymentId: string }) =>
  q
    .selectFrom('codepush_counts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deployment_id', '=', p.deploymentId),
);

export const findReleaseNumber = statement((q, p: { deploymentId: string; number: number }) =>
  q
    .selectFrom('codepush_releases')
    .select('number')
    .where('deployment_id', '=', p.deploymentId)
    .where('number', '=', p.number),
);

export const reportKey = (row: Pick<CodepushReportsTable, 'deployment_id' | 'mark'>): string =>
  `${row.deployment_id} ${row.mark}`;

const ROWS_AT_ONCE = 200;

/** Returns which of these reports are new. */
export async function insertReports(db: Db, rows: readonly CodepushReportsTable[]): Promise<Set<string>> {
  const added = new Set<string>();
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    const inserted = await query(db, (q) =>
      q
        .insertInto('codepush_reports')
        .values(some)
        .onConflict((c) => c.columns(['deployment_id', 'mark']).doNothing())
        .returning(['deployment_id', 'mark']),
    );
    for (const row of inserted) added.add(reportKey(row));
  }
  return added;
}

export const deleteReportsBefore = statement((q, p: { before: number; limit: number }) =>
  q.deleteFrom('codepush_reports').where(({ refTuple, selectFrom }) => {
    const old = selectFrom('codepush_reports as old')
      .select(['old.deployment_id', 'old.mark'])
      .where('old.reported_at', '<', p.before)
      .limit(p.limit);
    return sql<boolean>`${refTuple('deployment_id', 'mark')} in ${old}`;
  }),
);

export const deleteHoursBefore = statement((q, p: { before: number; limit: number }) =>
  q.deleteFrom('codepush_hours').where(({ refTuple, selectFrom }) => {
    const old = selectFrom('codepush_hours as old')
      .select(['old.deployment_id', 'old.hour', 'old.label'])
      .where('old.hour', '<', p.before)
      .limit(p.limit);
    return sql<boolean>`${refTuple('deployment_id', 'hour', 'label')} in ${old}`;
  }),
);

const ofDeployment = (table: 'codepush_counts' | 'codepush_hours' | 'codepush_reports') =>
  statement((q, p: { deploymentId: string }) => q.deleteFrom(table).where('deployment_id', '=', p.deploymentId));
const deletions = [ofDeployment('codepush_counts'), ofDeployment('codepush_hours'), ofDeployment('codepush_reports')];

export async function deleteCounts(db: Db, deploymentId: string): Promise<void> {
  for (const deletion of deletions) await deletion.run(db, { deploymentId });
}

export const listHours = statement((q, p: { deploymentId: string; from: number; until: number }) =>
  q
    .selectFrom('codepush_hours')
    .selectAll()
    .where('deployment_id', '=', p.deploymentId)
    .where('hour', '>=', p.from)
    .where('hour', '<', p.until)
    .orderBy('hour')
    .orderBy('label'),
);
