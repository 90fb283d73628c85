import type { AuditEvent } from '../../api/audit.ts';
import { exactTime } from '../../parts/time-words.ts';

export interface Change {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

const words = (name: string): string => name.replaceAll('_', ' ').replace(/\bapi\b/g, 'API');

function inTime(value: number | string): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? String(value) : exactTime(at.getTime());
}

function inWords(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field.endsWith('_at') && (typeof value === 'number' || typeof value === 'string')) return inTime(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What an event changed, field by field; what it left as it was is not told. */
export function changesOf({ before = {}, after = {} }: Pick<AuditEvent, 'before' | 'after'>): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({
      field: words(field),
      before: inWords(field, before[field]),
      after: inWords(field, after[field]),
    }));
}

/** "role: viewer → manager", or what it is where there was nothing before, or was where there is nothing now. */
export const changeInWords = ({ field, before, after }: Change): string =>
  `${field}: ${[before, after].filter((value) => value !== undefined).join(' → ')}`;
