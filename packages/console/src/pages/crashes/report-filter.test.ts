import { expect, test } from 'vitest';
import { reportFilter } from './report-filter.ts';

test('builds one filter and escapes quotes', () => {
  expect(reportFilter({})).toBe('');
  expect(reportFilter({ version: '1.4.0', user: "o'hara", readable: 'no', type: '' })).toBe(
    "appVersion eq '1.4.0' and userId eq 'o''hara' and symbolicated eq false",
  );
});

test('ignores a property without a name or value', () => {
  expect(reportFilter({ property: 'plan = pro=2' })).toBe("property.plan eq 'pro=2'");
  expect(reportFilter({ property: 'plan' })).toBe('');
  expect(reportFilter({ property: '=pro' })).toBe('');
});
