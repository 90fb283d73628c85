import type { EventDraft } from '../packages/server/src/domains/health/events/event-rules.ts';
import { MINUTE } from '../packages/server/src/kernel/clock.ts';

/** The same events every time: over 200 services, 60 regions and 500 subscriptions, one a minute. */
const SERVICES = 200;
const REGIONS = 60;
const SUBSCRIPTIONS = 500;
const FIRST = Date.UTC(2020, 0, 1);

const serviceName = (n: number): string => `Service ${n % SERVICES}`;
const regionName = (n: number): string => `Region ${n % REGIONS}`;
export const subscriptionId = (n: number): string =>
  `00000000-0000-4000-8000-${String(n % SUBSCRIPTIONS).padStart(12, '0')}`;
export const tenantId = (n: number): string => `11111111-0000-4000-8000-${String(n % 20).padStart(12, '0')}`;
export const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, n) => ({
  id: subscriptionId(n),
  tenantId: tenantId(n),
}));

/** A number that looks random, and is the same every time. */
function scatter(n: number, salt: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

const types = ['ServiceIssue', 'PlannedMaintenance', 'HealthAdvisory'] as const;
const levels = ['Critical', 'Error', 'Warning', 'Informational'] as const;

export const trackingIdOf = (n: number): string => `EV${String(n).padStart(7, '0')}`;

/** Three of four are for everyone, the others for one to three subscriptions. */
export function eventAt(n: number): { trackingId: string; draft: EventDraft } {
  const pick = (salt: number, among: number) => scatter(n, salt) % among;
  const time = (minutes: number) => new Date(FIRST + (n + minutes) * MINUTE).toISOString();
  const named =
    pick(0, 4) > 0
      ? []
      : Array.from({ length: 1 + pick(1, 3) }, (_, at) => subscriptionId(pick(2 + at, SUBSCRIPTIONS)));
  const impactAt = (at: number) => ({
    impactedService: serviceName(pick(10, SERVICES) + at),
    impactedRegions: Array.from({ length: 1 + pick(20 + at, 2) }, (_, region) => ({
      impactedRegion: regionName(pick(30 + at, REGIONS) + region),
      status: n % 5 === 0 ? ('Active' as const) : ('Resolved' as const),
      impactedSubscriptions: named,
      updates: [{ summary: `We know the cause of incident ${n} and are repairing it.`, updateDateTime: time(-3) }],
    })),
  });
  return {
    trackingId: trackingIdOf(n),
    draft: {
      eventType: types[pick(40, 3)] ?? 'ServiceIssue',
      eventSource: 'ServiceHealth',
      title: `Slow answers of ${serviceName(pick(10, SERVICES))}, incident ${n}`,
      summary:
        'Some requests are answered slowly or fail. We are looking into it and will tell you more within the hour.',
      header: 'Your service might be impacted by an issue',
      level: 'Warning',
      eventLevel: levels[pick(41, 4)] ?? 'Warning',
      impactStartTime: time(-30),
      impact: Array.from({ length: pick(42, 5) === 0 ? 2 : 1 }, (_, at) => impactAt(at)),
      isHIR: false,
      lastUpdateTime: time(0),
    },
  };
}

const [reader] = subscriptions;
export const SUBSCRIPTION = reader?.id ?? '';
export const TENANT = reader?.tenantId ?? '';
export const FILTER = { service: serviceName(17), region: regionName(23) };

/** Nine of ten events are younger. */
export const startOf = (count: number): Date => new Date(FIRST + Math.floor(count / 10) * MINUTE);

export function listUrl(count: number): string {
  const filter = `service eq '${FILTER.service}' or region eq '${FILTER.region}'`;
  const query = `$filter=${encodeURIComponent(filter)}&queryStartTime=${encodeURIComponent(startOf(count).toISOString())}`;
  return `/subscriptions/${SUBSCRIPTION}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01&${query}`;
}
