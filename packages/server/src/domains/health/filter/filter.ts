import { toIso } from '../../../kernel/clock.ts';
import {
  type FilterLanguage,
  FilterProblem,
  flagKind,
  formatFilterOf,
  parseFilterOf,
  textKind,
  type ValueKind,
} from '../../../kernel/filter/filter.ts';
import type { FilterNode, FilterProperty } from './filter-ast.ts';
import { parseQueryStartTime, TimeProblem } from './query-start-time.ts';

export { FilterProblem } from '../../../kernel/filter/filter.ts';

const levels = ['Critical', 'Error', 'Warning', 'Informational'];
const eventTypes = [
  'ServiceIssue',
  'PlannedMaintenance',
  'HealthAdvisory',
  'RCA',
  'EmergingIssues',
  'SecurityAdvisory',
];

const text = textKind('Mail');

/** One of some words, in any case. Real callers send types that do not exist: those match nothing. */
const oneOf = (words: readonly string[]): ValueKind => ({
  ...textKind(words[0] ?? ''),
  read: ({ kind, text }) =>
    kind === 'string' ? (words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text) : undefined,
});

const integer: ValueKind = {
  isOrdered: true,
  needs: 'a whole number such as 4',
  read: ({ text }) => (/^-?\d{1,9}$/.test(text) ? Number(text) + 0 : undefined),
};

/** It may have a space in it: before the clock, or where a + stood before the zone. */
const time: ValueKind = {
  isOrdered: true,
  needs: 'a time such as 2020-07-24T13:45:00Z',
  hasSpaces: true,
  read({ kind, text, position }) {
    if (kind !== 'string' && kind !== 'word') return undefined;
    try {
      return parseQueryStartTime(text);
    } catch (error) {
      if (!(error instanceof TimeProblem)) throw error;
      throw new FilterProblem(position, error.message);
    }
  },
  write: (value) => toIso(Number(value)),
};

const kinds: Record<FilterProperty, ValueKind> = {
  service: text,
  region: text,
  eventType: oneOf(eventTypes),
  eventSource: oneOf(['ResourceHealth', 'ServiceHealth']),
  status: oneOf(['Active', 'Resolved']),
  eventLevel: oneOf(levels),
  level: oneOf(['Critical', 'Warning']),
  trackingId: text,
  isHIR: flagKind,
  priority: integer,
  lastUpdateTime: time,
  impactStartTime: time,
};

const names = Object.keys(kinds) as FilterProperty[];
const properties = new Map(names.map((name) => [name.toLowerCase(), name]));
properties.set('name', 'trackingId');

const language: FilterLanguage<FilterProperty> = {
  kinds: new Map(names.map((name) => [name, kinds[name]])),
  find: (word) => properties.get(word.toLowerCase().replace(/^properties[/.]/, '')),
  example: "service eq 'Mail'",
};

/** Reads a $filter that is not blank; throws a FilterProblem for what it does not understand in full. */
export const parseFilter = (text: string): FilterNode => parseFilterOf(language, text);

/** The one text of a filter. It may be longer than what was parsed, so keep the caller's own text instead. */
export const formatFilter = (node: FilterNode): string => formatFilterOf(language, node);
