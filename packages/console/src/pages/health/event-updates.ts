import type { HealthEvent } from '../../api/health.ts';

export interface EventUpdate {
  at: string;
  summary: string;
  /** "Mail, North" */
  regions: string[];
}

/** The updates, newest first; one of several regions at once stands there once. */
export function updatesOf({ properties }: HealthEvent): EventUpdate[] {
  const updates = new Map<string, EventUpdate>();
  for (const { impactedService, impactedRegions = [] } of properties.impact ?? []) {
    for (const { impactedRegion, updates: ofRegion = [] } of impactedRegions) {
      for (const { summary, updateDateTime } of ofRegion) {
        const at = updateDateTime ?? properties.lastUpdateTime;
        const key = `${at}\n${summary}`;
        const update = updates.get(key) ?? { at, summary, regions: [] };
        update.regions.push(`${impactedService}, ${impactedRegion}`);
        updates.set(key, update);
      }
    }
  }
  return [...updates.values()].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

type Link = NonNullable<HealthEvent['properties']['links']>[number];

/** Where a link leads: links of the API name a page of a portal, and an address only among its parameters. */
export function hrefOf({ parameters = {} }: Link): string | undefined {
  const texts = Object.values(parameters).filter((value) => typeof value === 'string');
  return texts.find((value) => /^https?:\/\//i.test(value) && URL.canParse(value));
}
