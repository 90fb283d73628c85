import { toIso } from '../../../kernel/clock.ts';
import { FilterProblem, flagKind, textKind, type ValueKind } from '../../../kernel/filter/filter.ts';
import type { Event } from '../events/rendering.ts';
import type { EventColumn } from '../listing/listing.store.ts';
import { regionFacet, serviceFacet } from './facet-names.ts';
import { parseQueryStartTime, TimeProblem } from './query-start-time.ts';

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

/** One of a set of words, ignoring case. Existing clients send types that do not exist: those match nothing. */
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

/** A time can contain a space: before the clock time, or where a + stood before the time zone. */
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

type FilteredEvent = Pick<Event, 'name' | 'properties'>;

interface EventProperty {
  /** The values that a filter can compare it with. */
  kind: ValueKind;
  /** Location in the database: a column, sometimes with the sign inverted, or facets of the event. */
  stored: { column: EventColumn; isNegated?: boolean } | { facet: (value: string) => string };
  /** Reads the value or values from an event outside the database; times are epoch milliseconds. */
  read(event: FilteredEvent): string | number | boolean | readonly string[] | undefined;
}

const listRegions = ({ properties: { impact = [] } }: FilteredEvent): string[] =>
  impact.flatMap(({ impactedRegions = [] }) => impactedRegions.map(({ impactedRegion }) => impactedRegion));

/**
 * The properties that a $filter of health events can compare. The parser, the statements and the matching of single events read
 * this table.
 */
export const eventProperties = {
  service: {
    kind: text,
    stored: { facet: serviceFacet },
    read: ({ properties: { impact = [] } }) => impact.map(({ impactedService }) => impactedService),
  },
  region: { kind: text, stored: { facet: regionFacet }, read: listRegions },
  eventType: {
    kind: oneOf(eventTypes),
    stored: { column: 'event_type' },
    read: ({ properties }) => properties.eventType,
  },
  eventSource: {
    kind: oneOf(['ResourceHealth', 'ServiceHealth']),
    stored: { column: 'event_source' },
    read: ({ properties }) => properties.eventSource,
  },
  status: {
    kind: oneOf(['Active', 'Resolved']),
    stored: { column: 'status' },
    read: ({ properties }) => properties.status,
  },
  eventLevel: {
    kind: oneOf(levels),
    stored: { column: 'event_level' },
    read: ({ properties }) => properties.eventLevel,
  },
  level: {
    kind: oneOf(['Critical', 'Warning']),
    stored: { column: 'level' },
    read: ({ properties }) => properties.level,
  },
  trackingId: { kind: text, stored: { column: 'name' }, read: ({ name }) => name },
  isHIR: { kind: flagKind, stored: { column: 'is_hir' }, read: ({ properties }) => properties.isHIR },
  priority: { kind: integer, stored: { column: 'priority' }, read: ({ properties }) => properties.priority },
  lastUpdateTime: {
    kind: time,
    stored: { column: 'sort_at', isNegated: true },
    read: ({ properties }) => Date.parse(properties.lastUpdateTime),
  },
  impactStartTime: {
    kind: time,
    stored: { column: 'impact_start_at' },
    read: ({ properties }) => Date.parse(properties.impactStartTime ?? properties.lastUpdateTime),
  },
} satisfies Record<string, EventProperty>;

export type FilterProperty = keyof typeof eventProperties;
export const eventPropertyNames = Object.keys(eventProperties) as FilterProperty[];

/** The fields of an event that filters can compare. */
export type FilterFields = { [P in FilterProperty]?: ReturnType<EventProperty['read']> };

export const readFilterFields = (event: FilteredEvent): FilterFields =>
  Object.fromEntries(eventPropertyNames.map((name) => [name, eventProperties[name].read(event)]));

export const findEventProperty = (name: FilterProperty): EventProperty => eventProperties[name];
