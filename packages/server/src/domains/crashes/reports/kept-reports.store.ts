import { type Kysely, sql } from 'kysely';
import { statement, type Tables } from '../crashes.tables.ts';

export const findPassed = statement((q, p: { appId: string; consumer: string }) =>
  q.selectFrom('ingest_cursors').select('number').where('app_id', '=', p.appId).where('consumer', '=', p.consumer),
);

interface Kept {
  appId: string;
  /** The last batch; of what came before batches were noted it is not known, and it came earlier. */
  upTo: number;
}

/** By when they happened. */
const selectReports = (q: Kysely<Tables>, p: Kept & { at: number; id: string }) =>
  q
    .selectFrom('crash_reports')
    .innerJoin('crash_bodies', (join) =>
      join
        .onRef('crash_bodies.app_id', '=', 'crash_reports.app_id')
        .onRef('crash_bodies.report_id', '=', 'crash_reports.id'),
    )
    .where('crash_reports.app_id', '=', p.appId)
    .where(sql<boolean>`(crash_reports.at, crash_reports.id) > (${p.at}, ${p.id})`)
    .where(sql<boolean>`(crash_reports.batch is null or crash_reports.batch <= ${p.upTo})`)
    .orderBy('crash_reports.at')
    .orderBy('crash_reports.id');

/** The next ones, with the size of what is kept of each. */
export const listKeptReports = statement((q, p: Kept & { at: number; id: string; limit: number }) =>
  selectReports(q, p)
    .select([
      'crash_reports.at',
      'crash_reports.id',
      sql<number>`length(crash_bodies.log) + length(crash_bodies.stack)`.as('size'),
    ])
    .limit(p.limit),
);

export const readKeptReports = statement((q, p: Kept & { at: number; id: string; toAt: number; toId: string }) =>
  selectReports(q, p)
    .select([
      ...(['crash_reports.at', 'crash_reports.received_at', 'crash_reports.batch'] as const),
      ...(['crash_reports.install_id', 'crash_reports.type', 'crash_bodies.log', 'crash_bodies.stack'] as const),
    ])
    .where(sql<boolean>`(crash_reports.at, crash_reports.id) <= (${p.toAt}, ${p.toId})`),
);

/** By their ids, without those that were larger than is kept. */
const selectAttachments = (q: Kysely<Tables>, p: Kept & { id: string }) =>
  q
    .selectFrom('crash_attachments')
    .where('app_id', '=', p.appId)
    .where('id', '>', p.id)
    .where('blob_key', '!=', '')
    .where(sql<boolean>`(batch is null or batch <= ${p.upTo})`)
    .orderBy('id');

export const listKeptAttachments = statement((q, p: Kept & { id: string; limit: number }) =>
  selectAttachments(q, p).select(['id', 'size']).limit(p.limit),
);

export const readKeptAttachments = statement((q, p: Kept & { id: string; toId: string }) =>
  selectAttachments(q, p).selectAll().where('id', '<=', p.toId),
);
