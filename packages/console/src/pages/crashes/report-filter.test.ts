import { expect, test } from 'vitest';
import { reportFilter } from './report-filter.ts';

test('what is chosen becomes one filter, and quotes in it stay text', () => {
  expect(reportFilter({})).toBe('');
  expect(reportFilter({ version: '1.4.0', user: "o'hara", readable: 'no', type: '' })).toBe(
    "appVersion eq '1.4.0' and userId eq 'o''hara' and symbolicated eq false",
  );
});

test('a property is a name and a value; without both it says nothing', () => {
  expect(reportFilter({ property: 'plan = pro=2' })).toBe("property.plan eq 'pro=2'");
  expect(reportFilter({ property: 'plan' })).toBe('');
  expect(reportFilter({ property: '=pro' })).toBe('');
});
