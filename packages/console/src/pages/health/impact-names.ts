import type { HealthEvent } from '../../api/health/health.ts';

const sorted = (names: string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b));

const listImpacts = (events: HealthEvent[]) => events.flatMap(({ properties }) => properties.impact ?? []);

/** Services of several events, without duplicates. */
export const servicesIn = (events: HealthEvent[]): string[] =>
  sorted(listImpacts(events).map(({ impactedService }) => impactedService));

export const regionsIn = (events: HealthEvent[]): string[] =>
  sorted(
    listImpacts(events).flatMap(({ impactedRegions = [] }) =>
      impactedRegions.map(({ impactedRegion }) => impactedRegion),
    ),
  );
