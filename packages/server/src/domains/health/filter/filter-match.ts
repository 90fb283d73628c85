import { holds, matchesNode } from '../../../kernel/filter/filter-match.ts';
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

/** How names of services and regions are compared, in the database too. */
export const foldCase = (text: string): string => text.toLowerCase();

export const matchesFilter = (node: FilterNode, fields: FilterFields): boolean =>
  matchesNode(node, ({ property, ...comparison }) => {
    if (property !== 'service' && property !== 'region') return holds(fields[property], comparison);
    const entries = property === 'service' ? fields.services : fields.regions;
    const isThere = entries.some((entry) => foldCase(entry) === foldCase(String(comparison.value)));
    return isThere === (comparison.operator === 'eq');
  });

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
