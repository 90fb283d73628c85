import type { NewEvent } from '../../../api/health/health.ts';

export interface AffectedRegion {
  service: string;
  region: string;
}

/** Audience of an event; undefined means everyone. */
export interface Audience {
  subscriptions: string[];
  tenants: string[];
}

type EventText = Pick<NewEvent, 'eventType' | 'title' | 'summary' | 'eventLevel'>;

/** Request body: the summary becomes the first update of each region. */
export function eventFrom(text: EventText, regions: AffectedRegion[], { subscriptions, tenants }: Audience): NewEvent {
  const services = new Map<string, { impactedService: string; regions: string[] }>();
  for (const { service, region } of regions) {
    const key = service.toLowerCase();
    const impact = services.get(key) ?? { impactedService: service, regions: [] };
    impact.regions.push(region);
    services.set(key, impact);
  }
  const updates = text.summary ? [{ summary: text.summary }] : [];
  return {
    ...text,
    eventSource: 'ServiceHealth',
    status: 'Active',
    impact: [...services.values()].map(({ impactedService, regions }) => ({
      impactedService,
      impactedRegions: regions.map((impactedRegion) => ({
        impactedRegion,
        status: 'Active',
        impactedSubscriptions: subscriptions,
        impactedTenants: tenants,
        updates,
      })),
    })),
  };
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** An ID such as "7KQ2-XMP", easy to spell on the phone. */
export function newTrackingId(): string {
  const random = [...crypto.getRandomValues(new Uint8Array(7))].map((byte) => alphabet.charAt(byte % alphabet.length));
  return `${random.slice(0, 4).join('')}-${random.slice(4).join('')}`;
}
