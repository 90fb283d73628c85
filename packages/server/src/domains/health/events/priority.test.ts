import { expect, test } from 'vitest';
import { priorityOf } from './priority.ts';

test('type, then level, then status give each number from 0 to 23 once, in the order of urgency', () => {
  const priorities = (['ServiceIssue', 'PlannedMaintenance', 'HealthAdvisory'] as const).flatMap((eventType) =>
    (['Critical', 'Error', 'Warning', 'Informational'] as const).flatMap((eventLevel) =>
      (['Active', 'Resolved'] as const).map((status) => priorityOf({ eventType, eventLevel, status })),
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
  expect(priorityOf({ ...properties, eventType: one })).toBe(priorityOf({ ...properties, eventType: other }));
});

test.each([
  [{}, 6],
  [{ level: 'Critical' }, 0],
  [{ level: 'Warning' }, 4],
  [{ level: 'Critical', eventLevel: 'Error' }, 2],
] as const)('an active service issue with %j has priority %i', (levels, priority) => {
  expect(priorityOf({ eventType: 'ServiceIssue', status: 'Active', ...levels })).toBe(priority);
});
