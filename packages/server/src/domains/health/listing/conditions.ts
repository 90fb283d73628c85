import type { FilterProperty } from '../filter/filter-ast.ts';
import { type Comparison, type PlainFilter, regionFacet, serviceFacet } from './facets.ts';
import type { Condition, EventColumn, Operator } from './listing.store.ts';

const columns: Record<Exclude<FilterProperty, 'service' | 'region'>, EventColumn> = {
  eventType: 'event_type',
  eventSource: 'event_source',
  status: 'status',
  eventLevel: 'event_level',
  level: 'level',
  trackingId: 'name',
  isHIR: 'is_hir',
  priority: 'priority',
  lastUpdateTime: 'sort_at',
  impactStartTime: 'impact_start_at',
};

const operators: Record<string, Operator> = { eq: '=', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' };
/** For a column that holds the number with the other sign. */
const turned: Record<string, Operator> = { eq: '=', ne: '!=', lt: '>', le: '>=', gt: '<', ge: '<=' };

const never = (operator: string): Condition => ({ kind: 'constant', value: operator === 'ne' });

function toComparison({ property, operator, value }: Comparison): Condition {
  const text = String(value);
  // No name has one, and PostgreSQL takes no NUL in a value.
  if (/[\0\n]/.test(text)) return never(operator);
  if (property === 'service' || property === 'region') {
    const facet = property === 'service' ? serviceFacet(text) : regionFacet(text);
    return { kind: 'facet', facet, has: operator === 'eq' };
  }
  const column = columns[property];
  if (property === 'lastUpdateTime') {
    return { kind: 'column', column, operator: turned[operator] ?? '=', value: -Number(value) };
  }
  // An absent value is stored as an empty one, which equals nothing that can be asked for.
  if (text === '') return never(operator);
  const stored = typeof value === 'boolean' ? Number(value) : value;
  return { kind: 'column', column, operator: operators[operator] ?? '=', value: stored };
}

/** A filter in terms of columns. */
export const toCondition = (node: PlainFilter): Condition =>
  node.kind === 'compare' ? toComparison(node) : { kind: node.kind, nodes: node.nodes.map(toCondition) };
