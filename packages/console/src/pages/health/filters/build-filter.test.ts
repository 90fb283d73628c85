import { expect, test } from 'vitest';
import { buildFilter, noFilter as nothing, readFilter } from './build-filter.ts';

test('builds no filter without a selection', () => {
  expect(buildFilter(nothing)).toBe('');
  expect(buildFilter({ ...nothing, service: '  ' })).toBe('');
});

test('joins selections with "and"', () => {
  const filter = {
    service: 'Mail',
    region: 'West US',
    eventType: 'ServiceIssue',
    status: 'Active',
    eventLevel: 'Error',
  };
  expect(buildFilter(filter)).toBe(
    "service eq 'Mail' and region eq 'West US' and eventType eq 'ServiceIssue' and status eq 'Active' and eventLevel eq 'Error'",
  );
});

test("doubles quotes in names, so that they can't end the text", () => {
  expect(buildFilter({ ...nothing, region: "Côte d'Ivoire' or 'a' eq 'a" })).toBe(
    "region eq 'Côte d''Ivoire'' or ''a'' eq ''a'",
  );
});

test('parses the filters it builds', () => {
  const filter = { ...nothing, region: "Côte d'Ivoire' and status eq 'Active", eventLevel: 'Error' };
  expect(readFilter(buildFilter(filter))).toEqual(filter);
  expect(readFilter('')).toEqual(nothing);
});

test.each([
  "service eq 'Mail' or service eq 'Search'",
  "service ne 'Mail'",
  "priority eq '1'",
  "constructor eq 'x'",
  "service eq 'Mail' and ",
  "service eq 'Mail' and service eq 'Search'",
  "region eq 'West' and service eq 'Mail'",
])("doesn't parse %s", (text) => {
  expect(readFilter(text)).toEqual(nothing);
});
