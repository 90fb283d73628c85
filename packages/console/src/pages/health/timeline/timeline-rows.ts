import type { HealthEvent } from '../../../api/health/health.ts';
import { type EventLevel, levelOrder } from '../event-labels.ts';

export const DAYS = 90;

/** Consecutive days with the same active events; both ends are day indexes. */
export interface Span {
  from: number;
  to: number;
  level: EventLevel;
  events: HealthEvent[];
}

export interface TimelineRow {
  service: string;
  region: string;
  spans: Span[];
}

/** Start of each day in the user's time zone, oldest first, up to today. */
export function daysUntil(now: Date, count = DAYS): Date[] {
  const day = (back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  return Array.from({ length: count }, (_, index) => day(count - 1 - index));
}

/** Index of a time's day; -1 before the first day. */
const findDay = (days: Date[], at: number): number => days.findLastIndex((day) => day.getTime() <= at);

/** End of the last day, which can have 23 or 25 hours. */
function getEnd(days: Date[]): number {
  const last = days.at(-1) ?? new Date(0);
  return new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime();
}

interface Stretch {
  from: number;
  to: number;
  event: HealthEvent;
}

type Region = NonNullable<NonNullable<HealthEvent['properties']['impact']>[number]['impactedRegions']>[number];

/** From the start of the event until the region recovered, or until today. */
function toStretch(days: Date[], event: HealthEvent, region: Region): Stretch | undefined {
  const { properties, systemData } = event;
  const start = Date.parse(properties.impactStartTime ?? systemData.createdAt);
  const over = properties.impactMitigationTime ?? region.lastUpdateTime ?? properties.lastUpdateTime;
  const to = region.status === 'Resolved' ? findDay(days, Math.max(start, Date.parse(over))) : days.length - 1;
  if (to < 0 || start >= getEnd(days)) return undefined;
  return { from: Math.max(findDay(days, start), 0), to, event };
}

const getLevel = ({ properties }: HealthEvent): EventLevel => properties.eventLevel ?? 'Informational';

const worst = (events: HealthEvent[]): EventLevel =>
  levelOrder.find((level) => events.some((event) => getLevel(event) === level)) ?? 'Informational';

function toSpans(stretches: Stretch[], count: number): Span[] {
  const spans: Span[] = [];
  for (let day = 0; day < count; day += 1) {
    const events = stretches.filter(({ from, to }) => from <= day && day <= to).map(({ event }) => event);
    if (events.length === 0) continue;
    const last = spans.at(-1);
    const goesOn = last?.to === day - 1 && last.events.length === events.length;
    if (goesOn && events.every((event, index) => event === last.events[index])) last.to = day;
    else spans.push({ from: day, to: day, level: worst(events), events });
  }
  return spans;
}

/** Groups events by service and region, sorted by name, with their active days. */
export function timelineRows(events: HealthEvent[], days: Date[]): TimelineRow[] {
  const rows = new Map<string, { service: string; region: string; stretches: Stretch[] }>();
  for (const event of events) {
    for (const { impactedService: service, impactedRegions = [] } of event.properties.impact ?? []) {
      for (const impacted of impactedRegions) {
        const stretch = toStretch(days, event, impacted);
        if (!stretch) continue;
        const region = impacted.impactedRegion;
        const key = JSON.stringify([service, region]).toLowerCase();
        const row = rows.get(key) ?? { service, region, stretches: [] };
        row.stretches.push(stretch);
        rows.set(key, row);
      }
    }
  }
  return [...rows.values()]
    .map(({ service, region, stretches }) => ({ service, region, spans: toSpans(stretches, days.length) }))
    .sort((a, b) => a.service.localeCompare(b.service) || a.region.localeCompare(b.region));
}
