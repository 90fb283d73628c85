import { expect, test } from 'vitest';
import { buildFilter } from './build-filter.ts';

const nothing = { service: '', region: '', eventType: '', status: '', eventLevel: '' };

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
