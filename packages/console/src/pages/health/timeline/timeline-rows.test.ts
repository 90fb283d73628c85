import { expect, test } from 'vitest';
import type { HealthEvent } from '../../../api/health/health.ts';
import { daysUntil, timelineRows } from './timeline-rows.ts';

const now = new Date(2026, 10, 15, 12);
const days = daysUntil(now, 10);
/** Noon, this number of days ago. */
const ago = (count: number): string => new Date(2026, 10, 15 - count, 12).toISOString();

type Properties = HealthEvent['properties'];
type Regions = NonNullable<NonNullable<Properties['impact']>[number]['impactedRegions']>;

function event(name: string, properties: Partial<Properties>, regions: Regions, service = 'Mail'): HealthEvent {
  const by = { createdAt: ago(3), createdBy: 'ada', createdByType: 'User' } as const;
  const changed = { lastModifiedAt: ago(3), lastModifiedBy: 'ada', lastModifiedByType: 'User' } as const;
  const impact = [{ impactedService: service, impactedRegions: regions }];
  const required = { eventType: 'ServiceIssue', title: name, priority: 1, lastUpdateTime: ago(1) } as const;
  return {
    id: name,
    name,
    type: '',
    systemData: { ...by, ...changed },
    properties: { ...required, impact, ...properties },
  };
}

const active = (impactedRegion: string) => ({ impactedRegion, status: 'Active' }) as const;
const resolved = (impactedRegion: string) => ({ impactedRegion, status: 'Resolved' }) as const;
const shape = (events: HealthEvent[]) =>
  timelineRows(events, days).map(({ service, region, spans }) => [
    `${service}/${region}`,
    ...spans.map(({ from, to, level, events }) => `${from}-${to} ${level} ${events.map(({ name }) => name).join('+')}`),
  ]);

test('ends today, with one start per day even when clocks change', () => {
  expect([days.length, days[0], days.at(-1)]).toEqual([10, new Date(2026, 10, 6), new Date(2026, 10, 15)]);
  expect(daysUntil(now).every((day) => day.getHours() === 0)).toBe(true);
});

test('active events reach until today, resolved ones until their mitigation', () => {
  const on = event('ON', { impactStartTime: ago(2), eventLevel: 'Warning' }, [active('North')]);
  const over = event('OVER', { impactStartTime: ago(6), impactMitigationTime: ago(5) }, [resolved('South')]);
  expect(shape([on, over])).toEqual([
    ['Mail/North', '7-9 Warning ON'],
    ['Mail/South', '3-4 Informational OVER'],
  ]);
});

test('merges days with the same events into one span of the highest level', () => {
  const long = event('LONG', { impactStartTime: ago(5), eventLevel: 'Warning' }, [active('North')]);
  const short = event('SHORT', { impactStartTime: ago(4), impactMitigationTime: ago(3), eventLevel: 'Critical' }, [
    resolved('north'),
  ]);
  expect(shape([long, short])).toEqual([
    ['Mail/North', '4-4 Warning LONG', '5-6 Critical LONG+SHORT', '7-9 Warning LONG'],
  ]);
});

test('clips earlier events and skips past and future ones', () => {
  const early = event('EARLY', { impactStartTime: ago(60), impactMitigationTime: ago(9) }, [resolved('North')]);
  const past = event('PAST', { impactStartTime: ago(60), impactMitigationTime: ago(30) }, [resolved('East')]);
  const planned = event('PLANNED', { impactStartTime: ago(-3) }, [active('West')]);
  expect(shape([early, past, planned])).toEqual([['Mail/North', '0-0 Informational EARLY']]);
});

test('sorts rows by service and region, and skips events without regions', () => {
  const search = event('S', { impactStartTime: ago(1) }, [active('South'), active('East')], 'Search');
  const mail = event('M', { impactStartTime: ago(1) }, [active('West')]);
  const none = event('N', { impactStartTime: ago(1) }, []);
  expect(shape([search, mail, none]).map(([name]) => name)).toEqual(['Mail/West', 'Search/East', 'Search/South']);
});
