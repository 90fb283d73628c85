import { expect, it } from 'vitest';
import { buildFilter } from './event-filter.ts';

const now = Date.UTC(2026, 10, 2);

it.each([
  [{}, undefined],
  [{ service: 'Mail' }, "service eq 'Mail'"],
  [{ region: "Land's End" }, "region eq 'Land''s End'"],
  [{ filter: "isHIR eq true or service eq 'Mail'" }, "isHIR eq true or service eq 'Mail'"],
  [
    { status: 'Active', filter: 'isHIR eq true or priority lt 4' },
    "status eq 'Active' and (isHIR eq true or priority lt 4)",
  ],
  [
    { type: 'RCA', level: 'Error', since: '1d' },
    "eventType eq 'RCA' and eventLevel eq 'Error' and lastUpdateTime ge 2026-11-01T00:00:00.000Z",
  ],
])('converts %j to the filter %s', (choice, filter) => {
  expect(buildFilter(choice, now)).toBe(filter);
});

it('rejects an invalid time', () => {
  expect(() => buildFilter({ since: 'yesterday' }, now)).toThrow('Invalid time "yesterday" for --since');
});
