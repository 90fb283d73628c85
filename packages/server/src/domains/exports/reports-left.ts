import type { ArchivePosition } from '../crashes/index.ts';

/** Progress of the backfill of crashes, errors and attachments. Records between `after` and `to` are being written. */
export interface ReportsLeft {
  kind: 'reports' | 'attachments';
  /** Counts written files, for their names. */
  number: number;
  after: ArchivePosition;
  to?: ArchivePosition;
}

const START: ArchivePosition = { at: Number.MIN_SAFE_INTEGER, id: '' };

const includesReports = {
  reports: (entities: readonly string[]) => entities.includes('crashes') || entities.includes('errors'),
  attachments: (entities: readonly string[]) => entities.includes('attachments'),
};

const beginning = (kind: ReportsLeft['kind'], number: number): string =>
  JSON.stringify({ kind, number, after: START } satisfies ReportsLeft);

/** The start of the backfill; undefined if none of these kinds is exported. */
export function findFirstReportEntity(entities: readonly string[]): string | undefined {
  if (includesReports.reports(entities)) return beginning('reports', 0);
  return includesReports.attachments(entities) ? beginning('attachments', 0) : undefined;
}

/** The next kind after the last record of a kind. */
export const afterKind = ({ kind, number }: ReportsLeft, entities: readonly string[]): string | null =>
  kind === 'reports' && includesReports.attachments(entities) ? beginning('attachments', number) : null;
