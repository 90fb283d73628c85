import fc from 'fast-check';
import { soundSign } from '../../../../../test-support/hostile-text.ts';
import type { FilterFields } from '../../../src/domains/health/filter/event-properties.ts';
import type { FilterNode } from '../../../src/domains/health/filter/filter-ast.ts';

type Kind = FilterNode['kind'];

const eventTypes = [
  'ServiceIssue',
  'PlannedMaintenance',
  'HealthAdvisory',
  'RCA',
  'EmergingIssues',
  'SecurityAdvisory',
];
const vocabulary = {
  eventType: eventTypes,
  eventSource: ['ResourceHealth', 'ServiceHealth'],
  status: ['Active', 'Resolved'],
  eventLevel: ['Critical', 'Error', 'Warning', 'Informational'],
  level: ['Critical', 'Warning'],
};
/** Few values of each, so that filters match events. */
const names = ['Mail', 'MAIL', 'mail ', 'Émail', 'émail', "O'Neill", '%', '_', ''];
const trackingIds = ['A-1', 'a-1', 'B-2'];
const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001];

const equality = fc.constantFrom('eq' as const, 'ne' as const);
const order = fc.constantFrom(...(['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const));
const compare = fc.constant('compare' as const);

/** A comparison; with `strange`, sometimes with values that no event has. */
function anyComparison(strange: fc.Arbitrary<string>[]): fc.Arbitrary<FilterNode> {
  const text = (values: readonly string[]) => fc.oneof(fc.constantFrom(...values), ...strange);
  const plain = (['service', 'region', 'trackingId'] as const).map((property) =>
    fc.record({
      kind: compare,
      property: fc.constant(property),
      operator: equality,
      value: text(property === 'trackingId' ? trackingIds : names),
    }),
  );
  const enumerated = (Object.keys(vocabulary) as (keyof typeof vocabulary)[]).map((property) =>
    fc.record({
      kind: compare,
      property: fc.constant(property),
      operator: equality,
      value: fc.constantFrom(...vocabulary[property], 'Maintenance'),
    }),
  );
  return fc.oneof(
    ...plain,
    ...enumerated,
    fc.record({ kind: compare, property: fc.constant('isHIR' as const), operator: equality, value: fc.boolean() }),
    fc.record({
      kind: compare,
      property: fc.constant('priority' as const),
      operator: order,
      value: fc.integer({ min: -1, max: 24 }),
    }),
    fc.record({
      kind: compare,
      property: fc.constantFrom('lastUpdateTime' as const, 'impactStartTime' as const),
      operator: order,
      value: fc.constantFrom(...times),
    }),
  );
}

/** A filter as the parser creates it: no `and` directly within an `and`, no `or` within an `or`. */
export function anyFilter({ depth = 3, isStrange = true } = {}): fc.Arbitrary<FilterNode> {
  const strange = isStrange ? [fc.string({ unit: soundSign }).filter((text) => !text.includes('\0'))] : [];
  const comparison = anyComparison(strange);
  const nodes = (left: number, without?: Kind): fc.Arbitrary<FilterNode> => {
    if (left === 0) return comparison;
    const chain = (kind: 'and' | 'or'): fc.Arbitrary<FilterNode>[] => {
      if (kind === without) return [];
      const parts = fc.array(nodes(left - 1, kind), { minLength: 2, maxLength: 4 });
      return [parts.map((all) => ({ kind, nodes: all }))];
    };
    const not: fc.Arbitrary<FilterNode> = nodes(left - 1).map((node) => ({ kind: 'not', node }));
    return fc.oneof(comparison, ...chain('and'), ...chain('or'), not);
  };
  return nodes(depth);
}

/** An event as a filter sees it, with the same few values. */
export const anyFields = (): fc.Arbitrary<FilterFields & { service: string[]; region: string[] }> =>
  fc.record(
    {
      service: fc.subarray(names),
      region: fc.subarray(names),
      eventType: fc.constantFrom(...vocabulary.eventType),
      eventSource: fc.constantFrom(...vocabulary.eventSource),
      status: fc.constantFrom(...vocabulary.status),
      eventLevel: fc.constantFrom(...vocabulary.eventLevel),
      level: fc.constantFrom(...vocabulary.level),
      trackingId: fc.constantFrom(...trackingIds),
      isHIR: fc.boolean(),
      priority: fc.integer({ min: 0, max: 23 }),
      lastUpdateTime: fc.constantFrom(...times),
      impactStartTime: fc.constantFrom(...times),
    },
    { requiredKeys: ['service', 'region'] },
  );
