import { expect, test } from 'vitest';
import type { HealthEvent } from '../../api/health.ts';
import { hrefOf, updatesOf } from './event-updates.ts';

const eventWith = (properties: Partial<HealthEvent['properties']>): HealthEvent =>
  ({ properties: { lastUpdateTime: '2026-11-03T00:00:00Z', ...properties } }) as HealthEvent;

test('updates are told newest first, and once where they were said of several regions', () => {
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
  expect(updatesOf(eventWith({ impact }))).toEqual([
    { at: ended.updateDateTime, summary: ended.summary, regions: ['Mail, North'] },
    { at: began.updateDateTime, summary: began.summary, regions: ['Mail, North', 'Mail, South'] },
  ]);
  expect(updatesOf(eventWith({}))).toEqual([]);
});

test('a link leads to the address among its parameters, if it is one of the web', () => {
  expect(hrefOf({ parameters: { count: 2, url: 'https://status.example.com/1' } })).toBe(
    'https://status.example.com/1',
  );
  expect(hrefOf({ parameters: { url: 'javascript:alert(1)', other: 'https://' } })).toBeUndefined();
  expect(hrefOf({})).toBeUndefined();
});
