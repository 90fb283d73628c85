import type { HealthEvent } from '../../../api/health/health.ts';

export interface EventUpdate {
  at: string;
  summary: string;
  /** "Storage, North" */
  regions: string[];
}

/** Updates, newest first, with equal updates of several regions merged. */
export function listUpdates({ properties }: HealthEvent): EventUpdate[] {
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

/** URL of a link: API links name a portal page, and contain a URL only as a parameter. */
export function findHref({ parameters = {} }: Link): string | undefined {
  const texts = Object.values(parameters).filter((value) => typeof value === 'string');
  return texts.find((value) => /^https?:\/\//i.test(value) && URL.canParse(value));
}
