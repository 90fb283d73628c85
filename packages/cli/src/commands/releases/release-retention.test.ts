import { expect, it } from 'vitest';
import { readRule } from './release-retention.ts';

const none = { last: undefined, days: undefined, latest: undefined };

it('parses which releases to retain; by default also the latest of each group', () => {
  expect(readRule(none)).toEqual({ keep_latest: true });
  expect(readRule({ last: '5', days: '30', latest: 'no' })).toEqual({
    keep_last: 5,
    keep_days: 30,
    keep_latest: false,
  });
});

it.each(['0', '-1', '1.5', 'all', ''])('rejects the number "%s" of releases to retain', (last) => {
  expect(() => readRule({ ...none, last })).toThrow('--last must be a positive whole number');
});
