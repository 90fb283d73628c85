import type { EndpointOutput, Event_GetByTenantIdAndTrackingId } from '@mooring/contract';
import type { Column } from '../terminal/output.ts';

export type HealthEvent = EndpointOutput<typeof Event_GetByTenantIdAndTrackingId>;

const unique = (names: (string | undefined)[]): string => [...new Set(names.filter(Boolean))].join(', ');
const listImpacts = ({ properties }: HealthEvent) =>
  (properties.impact ?? []).flatMap(({ impactedService: service, impactedRegions = [] }) =>
    (impactedRegions.length > 0 ? impactedRegions : [undefined]).map((region) => ({ service, region })),
  );

export const eventColumns: Column<HealthEvent>[] = [
  { header: 'TRACKING ID', value: ({ name }) => name },
  { header: 'STATUS', value: ({ properties }) => properties.status },
  { header: 'LEVEL', value: ({ properties }) => properties.eventLevel },
  { header: 'TYPE', value: ({ properties }) => properties.eventType },
  { header: 'UPDATED', value: ({ properties }) => properties.lastUpdateTime, isTime: true },
  { header: 'SERVICES', value: (event) => unique(listImpacts(event).map(({ service }) => service)) },
  { header: 'REGIONS', value: (event) => unique(listImpacts(event).map(({ region }) => region?.impactedRegion)) },
  { header: 'TITLE', value: ({ properties }) => properties.title },
];

export const detailColumns: Column<HealthEvent>[] = [
  ...eventColumns,
  { header: 'PRIORITY', value: ({ properties }) => properties.priority },
  { header: 'STARTED', value: ({ properties }) => properties.impactStartTime, isTime: true },
  { header: 'ENDED', value: ({ properties }) => properties.impactMitigationTime, isTime: true },
  { header: 'SUMMARY', value: ({ properties }) => properties.summary },
];

interface Update {
  time: string | undefined;
  service: string;
  region: string;
  summary: string;
}

/** Updates of an event, newest first. */
export const listUpdates = (event: HealthEvent): Update[] =>
  listImpacts(event)
    .flatMap(({ service, region }) =>
      (region?.updates ?? []).map(
        ({ summary, updateDateTime: time }): Update => ({
          service,
          region: region?.impactedRegion ?? '',
          time,
          summary,
        }),
      ),
    )
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));

export const updateColumns: Column<Update>[] = [
  { header: 'TIME', value: ({ time }) => time, isTime: true },
  { header: 'SERVICE', value: ({ service }) => service },
  { header: 'REGION', value: ({ region }) => region },
  { header: 'UPDATE', value: ({ summary }) => summary },
];
