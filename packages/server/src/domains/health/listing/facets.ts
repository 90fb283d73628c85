import { regionFacet, serviceFacet } from '../filter/facet-names.ts';
import type { FilterNode } from '../filter/filter-ast.ts';

/**
 * A facet is a property of an event with entries in the index: `''` (every event), a service `s:`, a region `r:`, a type `t:`,
 * a status `a:`, and `h:` for a high incident rate.
 */
export const ALL_EVENTS = '';

/** The facets of an event besides services and regions. */
export const plainFacets = (event: { eventType: string; status: string; isHir: boolean }): string[] => [
  ALL_EVENTS,
  `t:${event.eventType}`,
  `a:${event.status}`,
  ...(event.isHir ? ['h:'] : []),
];

/** One item per line, so that whole lines can be matched; names contain no line breaks. */
export const toLines = (items: readonly string[]): string => `\n${items.join('\n')}\n`;
export const fromLines = (lines: string): string[] => lines.slice(1, -1).split('\n');

export type Comparison = Extract<FilterNode, { kind: 'compare' }>;

/** A filter without `not`. */
export type PlainFilter = { kind: 'and' | 'or'; nodes: PlainFilter[] } | Comparison;

const opposites = { eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', gt: 'le', le: 'gt' } as const;

/** Removes `not` from a filter: every event has every ordered property, so each comparison has an opposite. */
export function withoutNot(node: FilterNode, negated = false): PlainFilter {
  switch (node.kind) {
    case 'not':
      return withoutNot(node.node, !negated);
    case 'compare':
      return negated ? { ...node, operator: opposites[node.operator] } : node;
    default: {
      const kind = negated ? (node.kind === 'and' ? 'or' : 'and') : node.kind;
      return { kind, nodes: node.nodes.map((part) => withoutNot(part, negated)) };
    }
  }
}

/** Facets such that every matching event has at least one; `exact` if every event with one of them matches. */
export interface Cover {
  facets: string[];
  exact: boolean;
}

const everything: Cover = { facets: [ALL_EVENTS], exact: false };

function getComparisonCover({ property, operator, value }: Comparison): Cover {
  const text = String(value);
  const one = (facet: string): Cover => ({ facets: [facet], exact: true });
  if (property === 'isHIR') return (value === true) === (operator === 'eq') ? one('h:') : everything;
  if (property === 'status' && operator === 'ne') {
    return text === 'Active' ? one('a:Resolved') : text === 'Resolved' ? one('a:Active') : everything;
  }
  if (operator !== 'eq') return everything;
  if (property === 'service') return one(serviceFacet(text));
  if (property === 'region') return one(regionFacet(text));
  if (property === 'eventType') return one(`t:${text}`);
  return property === 'status' ? one(`a:${text}`) : everything;
}

/** Facet kinds by the number of events they usually match, fewest first; by their first letters. */
const rarity = ['h', 's', 'r', 'a:Active', 't', 'a:Resolved'];

function breadth({ facets }: Cover): number {
  const ranks = facets.map((facet) => rarity.findIndex((start) => facet.startsWith(start)));
  return ranks.includes(-1) ? Number.POSITIVE_INFINITY : Math.max(...ranks) * 1000 + facets.length;
}

/** Determines which part of the index a filter needs. */
export function getCover(node: PlainFilter): Cover {
  if (node.kind === 'compare') return getComparisonCover(node);
  const covers = node.nodes.map(getCover);
  if (node.kind === 'and') {
    const best = covers.reduce((a, b) => (breadth(b) < breadth(a) ? b : a), everything);
    return { facets: best.facets, exact: covers.length === 1 && best.exact };
  }
  if (covers.some(({ facets }) => facets.includes(ALL_EVENTS))) return everything;
  return {
    facets: [...new Set(covers.flatMap(({ facets }) => facets))],
    exact: covers.every(({ exact }) => exact),
  };
}

/** Bounds of lastUpdateTime for all matching events, both inclusive. */
export interface Span {
  from: number;
  to: number;
}

export const always: Span = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

export function getSpan(node: PlainFilter): Span {
  if (node.kind === 'compare') {
    if (node.property !== 'lastUpdateTime') return always;
    const time = Number(node.value);
    switch (node.operator) {
      case 'eq':
        return { from: time, to: time };
      case 'ge':
        return { ...always, from: time };
      case 'gt':
        return { ...always, from: time + 1 };
      case 'le':
        return { ...always, to: time };
      case 'lt':
        return { ...always, to: time - 1 };
      default:
        return always;
    }
  }
  const spans = node.nodes.map(getSpan);
  const [narrow, wide] = node.kind === 'and' ? [Math.max, Math.min] : [Math.min, Math.max];
  return { from: narrow(...spans.map(({ from }) => from)), to: wide(...spans.map(({ to }) => to)) };
}

export const countComparisons = (node: PlainFilter): number =>
  node.kind === 'compare' ? 1 : node.nodes.reduce((sum, part) => sum + countComparisons(part), 0);
