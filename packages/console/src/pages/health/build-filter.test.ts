import { expect, test } from 'vitest';
import { buildFilter, noFilter as nothing, readFilter } from './build-filter.ts';

test('without a choice there is no filter', () => {
  expect(buildFilter(nothing)).toBe('');
  expect(buildFilter({ ...nothing, service: '  ' })).toBe('');
});

test('every choice has to hold', () => {
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

test('a quote in a name is doubled, so that it cannot end the text', () => {
  expect(buildFilter({ ...nothing, region: "Côte d'Ivoire' or 'a' eq 'a" })).toBe(
    "region eq 'Côte d''Ivoire'' or ''a'' eq ''a'",
  );
});

test('what was built can be read again', () => {
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
])('what no choice leads to is not read as one: %s', (text) => {
  expect(readFilter(text)).toEqual(nothing);
});
