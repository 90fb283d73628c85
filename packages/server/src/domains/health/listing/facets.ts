import type { FilterNode } from '../filter/filter-ast.ts';
import { foldCase } from '../filter/filter-match.ts';

/**
 * A facet is something that an event has and that its place in the index is kept for: `''` (every event), a service `s:`,
 * a region `r:`, a type `t:`, a status `a:`, and `h:` for a high incident rate.
 */
export const EVERY = '';

export const serviceFacet = (name: string): string => `s:${foldCase(name)}`;
export const regionFacet = (name: string): string => `r:${foldCase(name)}`;

/** The facets of an event beside its services and regions. */
export const plainFacets = (event: { eventType: string; status: string; isHir: boolean }): string[] => [
  EVERY,
  `t:${event.eventType}`,
  `a:${event.status}`,
  ...(event.isHir ? ['h:'] : []),
];

/** Lines, so that a whole one can be looked for; no name has a line break. */
export const toLines = (items: readonly string[]): string => `\n${items.join('\n')}\n`;
export const fromLines = (lines: string): string[] => lines.slice(1, -1).split('\n');

export type Comparison = Extract<FilterNode, { kind: 'compare' }>;

/** A filter without `not`. */
export type PlainFilter = { kind: 'and' | 'or'; nodes: PlainFilter[] } | Comparison;

const opposites = { eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', gt: 'le', le: 'gt' } as const;

/** The same filter without `not`: every event has every ordered property, so each comparison has an opposite. */
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

/** Facets of which every matching event has at least one; `exact` when every event that has one matches. */
export interface Cover {
  facets: string[];
  exact: boolean;
}

const everything: Cover = { facets: [EVERY], exact: false };

function coverOfComparison({ property, operator, value }: Comparison): Cover {
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

/** How few events a cover most likely leaves, in the order of the facets' first letters. */
const rarity = ['h', 's', 'r', 'a:Active', 't', 'a:Resolved'];

function breadth({ facets }: Cover): number {
  const ranks = facets.map((facet) => rarity.findIndex((start) => facet.startsWith(start)));
  return ranks.includes(-1) ? Number.POSITIVE_INFINITY : Math.max(...ranks) * 1000 + facets.length;
}

/** Which part of the index a filter needs. */
export function coverOf(node: PlainFilter): Cover {
  if (node.kind === 'compare') return coverOfComparison(node);
  const covers = node.nodes.map(coverOf);
  if (node.kind === 'and') {
    const best = covers.reduce((a, b) => (breadth(b) < breadth(a) ? b : a), everything);
    return { facets: best.facets, exact: covers.length === 1 && best.exact };
  }
  if (covers.some(({ facets }) => facets.includes(EVERY))) return everything;
  return {
    facets: [...new Set(covers.flatMap(({ facets }) => facets))],
    exact: covers.every(({ exact }) => exact),
  };
}

/** The times between which lastUpdateTime of every matching event lies, both included. */
export interface Span {
  from: number;
  to: number;
}

export const always: Span = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

export function spanOf(node: PlainFilter): Span {
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
  const spans = node.nodes.map(spanOf);
  const [narrow, wide] = node.kind === 'and' ? [Math.max, Math.min] : [Math.min, Math.max];
  return { from: narrow(...spans.map(({ from }) => from)), to: wide(...spans.map(({ to }) => to)) };
}

export const countComparisons = (node: PlainFilter): number =>
  node.kind === 'compare' ? 1 : node.nodes.reduce((sum, part) => sum + countComparisons(part), 0);
