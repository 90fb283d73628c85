import { expect, test } from 'vitest';
import { getPriority } from './priority.ts';

test('ranks by type, then level, then status, with each number from 0 to 23 once', () => {
  const priorities = (['ServiceIssue', 'PlannedMaintenance', 'HealthAdvisory'] as const).flatMap((eventType) =>
    (['Critical', 'Error', 'Warning', 'Informational'] as const).flatMap((eventLevel) =>
      (['Active', 'Resolved'] as const).map((status) => getPriority({ eventType, eventLevel, status })),
    ),
  );
  expect(priorities).toEqual(Array.from({ length: 24 }, (_, index) => index));
});

test.each([
  ['EmergingIssues', 'ServiceIssue'],
  ['RCA', 'HealthAdvisory'],
  ['SecurityAdvisory', 'HealthAdvisory'],
] as const)('%s ranks as %s', (one, other) => {
  const properties = { eventLevel: 'Error', status: 'Resolved' } as const;
  expect(getPriority({ ...properties, eventType: one })).toBe(getPriority({ ...properties, eventType: other }));
});

test.each([
  [{}, 6],
  [{ level: 'Critical' }, 0],
  [{ level: 'Warning' }, 4],
  [{ level: 'Critical', eventLevel: 'Error' }, 2],
] as const)('an active service issue with %j has priority %i', (levels, priority) => {
  expect(getPriority({ eventType: 'ServiceIssue', status: 'Active', ...levels })).toBe(priority);
});
