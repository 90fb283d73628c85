import type { Event } from '../events/rendering.ts';
import type { FilterNode } from './filter-ast.ts';

/** An event as a filter sees it; times are epoch milliseconds. */
export interface FilterFields {
  services: readonly string[];
  regions: readonly string[];
  eventType?: string;
  eventSource?: string;
  status?: string;
  eventLevel?: string;
  level?: string;
  trackingId?: string;
  isHIR?: boolean;
  priority?: number;
  lastUpdateTime?: number;
  impactStartTime?: number;
}

type Comparison = Extract<FilterNode, { kind: 'compare' }>;

/** How names of services and regions are compared, in the database too. */
export const foldCase = (text: string): string => text.toLowerCase();

/** A value that is absent equals nothing, differs from everything, and is neither before nor after anything. */
export function matchesFilter(node: FilterNode, fields: FilterFields): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((part) => matchesFilter(part, fields));
    case 'or':
      return node.nodes.some((part) => matchesFilter(part, fields));
    case 'not':
      return !matchesFilter(node.node, fields);
    case 'compare':
      return compare(node, fields);
  }
}

function compare({ property, operator, value }: Comparison, fields: FilterFields): boolean {
  if (property === 'service' || property === 'region') {
    const entries = property === 'service' ? fields.services : fields.regions;
    const isThere = entries.some((entry) => foldCase(entry) === foldCase(String(value)));
    return isThere === (operator === 'eq');
  }
  const actual = fields[property];
  switch (operator) {
    case 'eq':
      return actual === value;
    case 'ne':
      return actual !== value;
    case 'lt':
      return actual !== undefined && actual < value;
    case 'le':
      return actual !== undefined && actual <= value;
    case 'gt':
      return actual !== undefined && actual > value;
    case 'ge':
      return actual !== undefined && actual >= value;
  }
}

/** What a filter sees of an event that is not in the database, or no longer. */
export function filterFieldsOf({ name, properties }: Pick<Event, 'name' | 'properties'>): FilterFields {
  const { impact = [], lastUpdateTime, impactStartTime, ...rest } = properties;
  return {
    ...rest,
    trackingId: name,
    services: impact.map(({ impactedService }) => impactedService),
    regions: impact.flatMap(({ impactedRegions = [] }) => impactedRegions.map(({ impactedRegion }) => impactedRegion)),
    lastUpdateTime: Date.parse(lastUpdateTime),
    impactStartTime: Date.parse(impactStartTime ?? lastUpdateTime),
  };
}
