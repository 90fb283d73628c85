import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { type Kind, query, statement, type Tables } from '../crashes.tables.ts';

interface ArchiveScope {
  appId: string;
  /** The last batch. Reports of unknown batches are older, so they are included. */
  upTo: number;
}

/** Reports with their bodies, by time. */
const selectReports = (q: Kysely<Tables>, p: { appId: string }) =>
  q
    .selectFrom('crash_reports')
    .innerJoin('crash_bodies', (join) =>
      join
        .onRef('crash_bodies.app_id', '=', 'crash_reports.app_id')
        .onRef('crash_bodies.report_id', '=', 'crash_reports.id'),
    )
    .where('crash_reports.app_id', '=', p.appId)
    .orderBy('crash_reports.at')
    .orderBy('crash_reports.id');

const selectRest = (q: Kysely<Tables>, p: ArchiveScope & { at: number; id: string }) =>
  selectReports(q, p)
    .where(sql<boolean>`(crash_reports.at, crash_reports.id) > (${p.at}, ${p.id})`)
    .where(sql<boolean>`(crash_reports.batch is null or crash_reports.batch <= ${p.upTo})`);

const columns = [
  ...(['crash_reports.at', 'crash_reports.received_at', 'crash_reports.batch'] as const),
  ...(['crash_reports.install_id', 'crash_reports.type', 'crash_bodies.log', 'crash_bodies.stack'] as const),
] as const;

/** The next reports, with the size of their bodies. */
export const listArchivedReports = statement((q, p: ArchiveScope & { at: number; id: string; limit: number }) =>
  selectRest(q, p)
    .select([
      'crash_reports.at',
      'crash_reports.id',
      sql<number>`length(crash_bodies.log) + length(crash_bodies.stack)`.as('size'),
    ])
    .limit(p.limit),
);

export const readArchivedReports = statement(
  (q, p: ArchiveScope & { at: number; id: string; toAt: number; toId: string }) =>
    selectRest(q, p)
      .select(columns)
      .where(sql<boolean>`(crash_reports.at, crash_reports.id) <= (${p.toAt}, ${p.toId})`),
);

export const pageArchivedReports = (
  db: Db,
  p: { appId: string; kinds: readonly Kind[]; from: number; to: number; skip: number; limit: number },
) =>
  query(db, (q) =>
    selectReports(q, p)
      .select(columns)
      .where('crash_reports.at', '>=', p.from)
      .where('crash_reports.at', '<', p.to)
      .where('crash_reports.kind', 'in', p.kinds)
      .limit(p.limit)
      .offset(p.skip),
  );

/** By ID, without attachments whose content was omitted. */
const selectAttachments = (q: Kysely<Tables>, p: ArchiveScope & { id: string }) =>
  q
    .selectFrom('crash_attachments')
    .where('app_id', '=', p.appId)
    .where('id', '>', p.id)
    .where('blob_key', '!=', '')
    .where(sql<boolean>`(batch is null or batch <= ${p.upTo})`)
    .orderBy('id');

export const listArchivedAttachments = statement((q, p: ArchiveScope & { id: string; limit: number }) =>
  selectAttachments(q, p).select(['id', 'size']).limit(p.limit),
);

export const readArchivedAttachments = statement((q, p: ArchiveScope & { id: string; toId: string }) =>
  selectAttachments(q, p).selectAll().where('id', '<=', p.toId),
);
