import { badRequest } from '../../../kernel/errors.ts';
import { foldText } from '../../../kernel/text/search-key.ts';
import { regionFacet, serviceFacet } from '../filter/facet-names.ts';
import { fromLines, plainFacets, toLines } from '../listing/facets.ts';
import { EVERYONE } from '../listing/listing.ts';
import type { EventRow, IndexEntries, StoredEvent } from './health-events.store.ts';
import { type Event, type EventProperties, render } from './rendering.ts';

/** Tracking IDs are unique regardless of case. */
export const toKey = (trackingId: string): string => trackingId.toLowerCase();

/** Each audience needs a row for each service and region of the event. */
const MAX_INDEX_ENTRIES = 20_000;

/** The subscriptions and tenants that the regions name; everyone if a region names none, or if there are no regions. */
function listAudiences({ impact = [] }: EventProperties): string[] {
  const regions = impact.flatMap(({ impactedRegions = [] }) => impactedRegions);
  const named = regions.map((region) => [...(region.impactedSubscriptions ?? []), ...(region.impactedTenants ?? [])]);
  const isForEveryone = named.length === 0 || named.some((ids) => ids.length === 0);
  return [...new Set([...(isForEveryone ? [EVERYONE] : []), ...named.flat()])];
}

function listFacets({ impact = [] }: EventProperties): string[] {
  const regions = impact.flatMap(({ impactedRegions = [] }) => impactedRegions);
  return [
    ...new Set([
      ...impact.map(({ impactedService }) => serviceFacet(impactedService)),
      ...regions.map(({ impactedRegion }) => regionFacet(impactedRegion)),
    ]),
  ];
}

/** The entries of an event in the index. */
export function buildIndexEntries(
  row: Pick<StoredEvent, 'event_type' | 'status' | 'is_hir' | 'facets' | 'audiences' | 'sort_at' | 'name'>,
  seq: number,
): IndexEntries {
  const plain = plainFacets({ eventType: row.event_type, status: row.status, isHir: row.is_hir === 1 });
  const names = fromLines(row.facets).filter((facet) => facet !== '');
  return {
    audiences: fromLines(row.audiences),
    facets: [...plain, ...names],
    sortAt: row.sort_at,
    name: row.name,
    seq,
  };
}

const toSearchKey = (name: string, { title, impact = [] }: EventProperties): string =>
  [
    title,
    name,
    ...impact.flatMap(({ impactedService, impactedRegions = [] }) => [
      impactedService,
      ...impactedRegions.map(({ impactedRegion }) => impactedRegion),
    ]),
  ]
    .map(foldText)
    .join('\n');

export function buildRow(
  name: string,
  revision: number,
  systemData: Event['systemData'],
  properties: EventProperties,
): EventRow {
  return {
    name,
    name_key: toKey(name),
    revision,
    sort_at: -Date.parse(properties.lastUpdateTime),
    event_type: properties.eventType,
    event_source: properties.eventSource ?? '',
    status: properties.status ?? 'Active',
    event_level: properties.eventLevel ?? '',
    level: properties.level ?? '',
    is_hir: properties.isHIR ? 1 : 0,
    priority: properties.priority,
    impact_start_at: Date.parse(properties.impactStartTime ?? properties.lastUpdateTime),
    facets: toLines(listFacets(properties)),
    audiences: toLines(listAudiences(properties)),
    search_key: toSearchKey(name, properties),
    body: render(name, systemData, properties),
  };
}

export function refuseTooWide({ audiences, facets }: IndexEntries): void {
  if (audiences.length * facets.length <= MAX_INDEX_ENTRIES) return;
  throw badRequest(
    `properties.impact combines ${audiences.length} subscriptions and tenants with ${facets.length} services and regions, which is too many for one event. Split the event, or list fewer.`,
  );
}
