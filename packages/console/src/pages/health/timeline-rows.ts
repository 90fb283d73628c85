import type { HealthEvent } from '../../api/health.ts';
import { type EventLevel, levelOrder } from './event-words.ts';

export const DAYS = 90;

/** Days in a row on which the same events went on; both ends are counted from the first day of the picture. */
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

/** The start of each day of the picture where the reader is, oldest first; the last one is today. */
export function daysUntil(now: Date, count = DAYS): Date[] {
  const day = (back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  return Array.from({ length: count }, (_, index) => day(count - 1 - index));
}

/** The day that a moment falls on: -1 before the first one. */
const dayOf = (days: Date[], at: number): number => days.findLastIndex((day) => day.getTime() <= at);

/** The end of the last day, which may have 23 or 25 hours. */
function endOf(days: Date[]): number {
  const last = days.at(-1) ?? new Date(0);
  return new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime();
}

interface Stretch {
  from: number;
  to: number;
  event: HealthEvent;
}

type Region = NonNullable<NonNullable<HealthEvent['properties']['impact']>[number]['impactedRegions']>[number];

/** From its start until it was over in the region; what goes on goes on until today. */
function stretchOf(days: Date[], event: HealthEvent, region: Region): Stretch | undefined {
  const { properties, systemData } = event;
  const start = Date.parse(properties.impactStartTime ?? systemData.createdAt);
  const over = properties.impactMitigationTime ?? region.lastUpdateTime ?? properties.lastUpdateTime;
  const to = region.status === 'Resolved' ? dayOf(days, Math.max(start, Date.parse(over))) : days.length - 1;
  if (to < 0 || start >= endOf(days)) return undefined;
  return { from: Math.max(dayOf(days, start), 0), to, event };
}

const levelOf = ({ properties }: HealthEvent): EventLevel => properties.eventLevel ?? 'Informational';

const worst = (events: HealthEvent[]): EventLevel =>
  levelOrder.find((level) => events.some((event) => levelOf(event) === level)) ?? 'Informational';

function spansOf(stretches: Stretch[], count: number): Span[] {
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

/** Events by service and region, in the order of their names, with the days on which each went on. */
export function timelineRows(events: HealthEvent[], days: Date[]): TimelineRow[] {
  const rows = new Map<string, { service: string; region: string; stretches: Stretch[] }>();
  for (const event of events) {
    for (const { impactedService: service, impactedRegions = [] } of event.properties.impact ?? []) {
      for (const impacted of impactedRegions) {
        const stretch = stretchOf(days, event, impacted);
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
    .map(({ service, region, stretches }) => ({ service, region, spans: spansOf(stretches, days.length) }))
    .sort((a, b) => a.service.localeCompare(b.service) || a.region.localeCompare(b.region));
}
