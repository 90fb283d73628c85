import type { KeptPosition } from '../../context.ts';

/** How far the back-fill of crashes, errors and attachments is. What is between `after` and `to` is being written. */
export interface ReportsLeft {
  kind: 'reports' | 'attachments';
  /** Counts what was written, for names. */
  number: number;
  after: KeptPosition;
  to?: KeptPosition;
}

const START: KeptPosition = { at: Number.MIN_SAFE_INTEGER, id: '' };

const isWanted = {
  reports: (entities: readonly string[]) => entities.includes('crashes') || entities.includes('errors'),
  attachments: (entities: readonly string[]) => entities.includes('attachments'),
};

const beginning = (kind: ReportsLeft['kind'], number: number): string =>
  JSON.stringify({ kind, number, after: START } satisfies ReportsLeft);

/** Where it begins; nothing if none of them is exported. */
export function firstOfReports(entities: readonly string[]): string | undefined {
  if (isWanted.reports(entities)) return beginning('reports', 0);
  return isWanted.attachments(entities) ? beginning('attachments', 0) : undefined;
}

/** What comes when there is no more of a kind. */
export const afterKind = ({ kind, number }: ReportsLeft, entities: readonly string[]): string | null =>
  kind === 'reports' && isWanted.attachments(entities) ? beginning('attachments', number) : null;
