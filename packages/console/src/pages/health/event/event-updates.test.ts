import { expect, test } from 'vitest';
import type { HealthEvent } from '../../../api/health/health.ts';
import { findHref, listUpdates } from './event-updates.ts';

const eventWith = (properties: Partial<HealthEvent['properties']>): HealthEvent =>
  ({ properties: { lastUpdateTime: '2026-11-03T00:00:00Z', ...properties } }) as HealthEvent;

test('lists updates newest first and merges equal ones of several regions', () => {
  const began = { summary: 'We look into it.', updateDateTime: '2026-11-01T09:00:00Z' };
  const ended = { summary: 'It works again.', updateDateTime: '2026-11-02T09:00:00Z' };
  const impact = [
    {
      impactedService: 'Mail',
      impactedRegions: [
        { impactedRegion: 'North', updates: [began, ended] },
        { impactedRegion: 'South', updates: [began] },
      ],
    },
    { impactedService: 'Search' },
  ];
  expect(listUpdates(eventWith({ impact }))).toEqual([
    { at: ended.updateDateTime, summary: ended.summary, regions: ['Mail, North'] },
    { at: began.updateDateTime, summary: began.summary, regions: ['Mail, North', 'Mail, South'] },
  ]);
  expect(listUpdates(eventWith({}))).toEqual([]);
});

test("follows the URL in a link's parameters if it is a web URL", () => {
  expect(findHref({ parameters: { count: 2, url: 'https://status.example.com/1' } })).toBe(
    'https://status.example.com/1',
  );
  expect(findHref({ parameters: { url: 'javascript:alert(1)', other: 'https://' } })).toBeUndefined();
  expect(findHref({})).toBeUndefined();
});
