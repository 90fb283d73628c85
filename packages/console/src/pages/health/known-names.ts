import type { HealthEvent } from '../../api/health.ts';

const sorted = (names: string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b));

const impactsOf = (events: HealthEvent[]) => events.flatMap(({ properties }) => properties.impact ?? []);

/** The services that some events are about, once each. */
export const servicesIn = (events: HealthEvent[]): string[] =>
  sorted(impactsOf(events).map(({ impactedService }) => impactedService));

export const regionsIn = (events: HealthEvent[]): string[] =>
  sorted(
    impactsOf(events).flatMap(({ impactedRegions = [] }) =>
      impactedRegions.map(({ impactedRegion }) => impactedRegion),
    ),
  );
