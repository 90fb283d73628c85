import { type AnnouncementType, filterFields } from '@mooring/contract';
import { badRequest } from '../../kernel/errors.ts';
import {
  type FilterLanguage,
  FilterProblem,
  flagKind,
  parseFilterText,
  textKind,
  type ValueKind,
} from '../../kernel/filter/filter.ts';
import type { FilterNode } from '../../kernel/filter/filter-ast.ts';
import { holds, matchesNode } from '../../kernel/filter/filter-match.ts';

const numberKind: ValueKind = {
  isOrdered: true,
  needs: 'a number such as 99.5',
  read: ({ text }) => (/^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : undefined),
};
const kinds: Record<'text' | 'number' | 'flag', ValueKind> = {
  text: textKind('main'),
  number: numberKind,
  flag: flagKind,
};

const language: FilterLanguage<string> = {
  kinds: new Map(filterFields.map(({ name, kind }) => [name, kinds[kind]])),
  find: (text) => filterFields.find(({ name }) => name === text.toLowerCase())?.name,
  example: "app_name eq 'compass'",
};

/** Validates a filter before it is stored; empty matches everything. */
export function checkFilter(text: string): string {
  if (text.trim() === '') return '';
  try {
    parseFilterText(language, text);
    return text;
  } catch (error) {
    if (error instanceof FilterProblem) throw badRequest(`filter: ${error.message}`);
    throw error;
  }
}

/** A filter of another version that cannot be parsed matches everything. */
function parseStoredFilter(text: string): FilterNode | undefined {
  try {
    return text === '' ? undefined : parseFilterText(language, text);
  } catch (error) {
    if (error instanceof FilterProblem) return undefined;
    throw error;
  }
}

/** Checks whether an event matches the filter of a webhook. Fields that the event lacks are absent. */
export function passes(filter: string, { type, data }: { type: AnnouncementType; data: object }): boolean {
  const node = parseStoredFilter(filter);
  if (!node) return true;
  const fields: Readonly<Record<string, unknown>> = { ...data, event_type: type };
  return matchesNode(node, ({ property, ...comparison }) => {
    const actual = fields[property];
    const isValue = typeof actual === 'string' || typeof actual === 'number' || typeof actual === 'boolean';
    return holds(isValue ? actual : undefined, comparison);
  });
}
