import type { AuditEvent } from '../../api/administration/audit.ts';
import { formatExactTime } from '../../components/text/format-time.ts';

export interface Change {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

const toFieldLabel = (name: string): string => name.replaceAll('_', ' ').replace(/\bapi\b/g, 'API');

function formatMoment(value: number | string): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? String(value) : formatExactTime(at.getTime());
}

function formatValue(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field.endsWith('_at') && (typeof value === 'number' || typeof value === 'string')) return formatMoment(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Changed fields of an event. */
export function listChanges({ before = {}, after = {} }: Pick<AuditEvent, 'before' | 'after'>): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({
      field: toFieldLabel(field),
      before: formatValue(field, before[field]),
      after: formatValue(field, after[field]),
    }));
}

/** "role: viewer → manager"; only one value if the field was added or removed. */
export const formatChange = ({ field, before, after }: Change): string =>
  `${field}: ${[before, after].filter((value) => value !== undefined).join(' → ')}`;
