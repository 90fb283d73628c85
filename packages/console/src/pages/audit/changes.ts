import type { AuditEvent } from '../../api/audit.ts';

export interface Change {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

const words = (name: string): string => name.replaceAll('_', ' ').replace(/\bapi\b/g, 'API');

/** "api_token.create" as "API token: create". */
export function actionInWords(action: string): string {
  const text = action.split('.').map(words).join(': ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inTime(value: number | string): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? String(value) : at.toLocaleString();
}

function inWords(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field.endsWith('_at') && (typeof value === 'number' || typeof value === 'string')) return inTime(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What an event says about the state before and after it, field by field. */
export function changesOf({ before = {}, after = {} }: Pick<AuditEvent, 'before' | 'after'>): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => ({
    field: words(field),
    before: inWords(field, before[field]),
    after: inWords(field, after[field]),
  }));
}
