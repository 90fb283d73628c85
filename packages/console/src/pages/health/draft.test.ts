import { expect, test } from 'vitest';
import { eventFrom, newTrackingId } from './draft.ts';

const text = { eventType: 'ServiceIssue', title: 'Mail is slow', summary: 'We look into it.' } as const;

test('regions are gathered by service, each with its audience and the summary as its first update', () => {
  const regions = [
    { service: 'Mail', region: 'North' },
    { service: 'Search', region: 'North' },
    { service: 'mail', region: 'South' },
  ];
  const { impact } = eventFrom(text, regions, { subscriptions: ['S'], tenants: ['T'] });
  expect(impact?.map(({ impactedService, impactedRegions }) => [impactedService, impactedRegions?.length])).toEqual([
    ['Mail', 2],
    ['Search', 1],
  ]);
  expect(impact?.[1]?.impactedRegions).toEqual([
    {
      impactedRegion: 'North',
      status: 'Active',
      impactedSubscriptions: ['S'],
      impactedTenants: ['T'],
      updates: [{ summary: 'We look into it.' }],
    },
  ]);
});

test('an event without a summary begins without an update', () => {
  const { impact } = eventFrom({ ...text, summary: undefined }, [{ service: 'Mail', region: 'North' }], {
    subscriptions: [],
    tenants: [],
  });
  expect(impact?.[0]?.impactedRegions?.[0]?.updates).toEqual([]);
});

test('a tracking id is short, in letters and digits that are not mistaken for each other', () => {
  expect(newTrackingId()).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{3}$/);
  expect(newTrackingId()).not.toBe(newTrackingId());
});
