import { badRequest } from '../../../kernel/errors.ts';
import { foldText } from '../../../kernel/search-key.ts';
import { fromLines, plainFacets, regionFacet, serviceFacet, toLines } from '../listing/facets.ts';
import { EVERYONE } from '../listing/listing.ts';
import type { EventRow, IndexEntries, StoredEvent } from './health-events.store.ts';
import { type Event, type EventProperties, render } from './rendering.ts';

/** Names are one event's whatever their case. */
export const keyOf = (trackingId: string): string => trackingId.toLowerCase();

/** Everybody who can be named once would be a row for each of their services and regions. */
const MAX_INDEX_ENTRIES = 20_000;

/** Whom an event is for: those whom its regions name, and everyone if one of them names nobody or there is none. */
function audiencesOf({ impact = [] }: EventProperties): string[] {
  const regions = impact.flatMap(({ impactedRegions = [] }) => impactedRegions);
  const named = regions.map((region) => [...(region.impactedSubscriptions ?? []), ...(region.impactedTenants ?? [])]);
  const isForEveryone = named.length === 0 || named.some((ids) => ids.length === 0);
  return [...new Set([...(isForEveryone ? [EVERYONE] : []), ...named.flat()])];
}

function namesOf({ impact = [] }: EventProperties): string[] {
  const regions = impact.flatMap(({ impactedRegions = [] }) => impactedRegions);
  return [
    ...new Set([
      ...impact.map(({ impactedService }) => serviceFacet(impactedService)),
      ...regions.map(({ impactedRegion }) => regionFacet(impactedRegion)),
    ]),
  ];
}

/** Where it stands, or stood, in the index. */
export function indexEntriesOf(
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

const searchKeyOf = (name: string, { title, impact = [] }: EventProperties): string =>
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

export function rowOf(
  name: string,
  revision: number,
  systemData: Event['systemData'],
  properties: EventProperties,
): EventRow {
  return {
    name,
    name_key: keyOf(name),
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
    facets: toLines(namesOf(properties)),
    audiences: toLines(audiencesOf(properties)),
    search_key: searchKeyOf(name, properties),
    body: render(name, systemData, properties),
  };
}

export function refuseTooWide({ audiences, facets }: IndexEntries): void {
  if (audiences.length * facets.length <= MAX_INDEX_ENTRIES) return;
  throw badRequest(
    `properties.impact names ${audiences.length} subscriptions and tenants together with ${facets.length} services and regions; split the event, or name fewer.`,
  );
}
