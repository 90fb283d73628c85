import { findEventProperty } from '../filter/event-properties.ts';
import type { Comparison, PlainFilter } from './facets.ts';
import type { Condition, Operator } from './listing.store.ts';

const operators: Record<string, Operator> = { eq: '=', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' };
/** Operators for columns that store the negated number. */
const turned: Record<string, Operator> = { eq: '=', ne: '!=', lt: '>', le: '>=', gt: '<', ge: '<=' };

const never = (operator: string): Condition => ({ kind: 'constant', value: operator === 'ne' });

function toComparison({ property, operator, value }: Comparison): Condition {
  const text = String(value);
  // Names have no line breaks, and PostgreSQL does not accept NUL in values.
  if (/[\0\n]/.test(text)) return never(operator);
  const { stored } = findEventProperty(property);
  if ('facet' in stored) return { kind: 'facet', facet: stored.facet(text), has: operator === 'eq' };
  const { column, isNegated } = stored;
  if (isNegated) return { kind: 'column', column, operator: turned[operator] ?? '=', value: -Number(value) };
  // An absent value is stored as an empty string, which no filter value equals.
  if (text === '') return never(operator);
  const bound = typeof value === 'boolean' ? Number(value) : value;
  return { kind: 'column', column, operator: operators[operator] ?? '=', value: bound };
}

/** Translates a filter to columns. */
export const toCondition = (node: PlainFilter): Condition =>
  node.kind === 'compare' ? toComparison(node) : { kind: node.kind, nodes: node.nodes.map(toCondition) };
