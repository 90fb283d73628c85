import { expect, test } from 'vitest';
import { eventFrom, newTrackingId } from './draft.ts';

const text = { eventType: 'ServiceIssue', title: 'Mail is slow', summary: 'We look into it.' } as const;

test('groups regions by service, with audience and summary', () => {
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

test('creates no update without a summary', () => {
  const { impact } = eventFrom({ ...text, summary: undefined }, [{ service: 'Mail', region: 'North' }], {
    subscriptions: [],
    tenants: [],
  });
  expect(impact?.[0]?.impactedRegions?.[0]?.updates).toEqual([]);
});

test('creates short tracking IDs of unambiguous characters', () => {
  expect(newTrackingId()).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{3}$/);
  expect(newTrackingId()).not.toBe(newTrackingId());
});
