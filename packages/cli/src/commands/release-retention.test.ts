import { expect, it } from 'vitest';
import { readRule } from './release-retention.ts';

const none = { last: undefined, days: undefined, latest: undefined };

it('reads which releases are kept; the latest of groups are, unless told', () => {
  expect(readRule(none)).toEqual({ keep_latest: true });
  expect(readRule({ last: '5', days: '30', latest: 'no' })).toEqual({
    keep_last: 5,
    keep_days: 30,
    keep_latest: false,
  });
});

it.each(['0', '-1', '1.5', 'all', ''])('refuses to keep the last "%s"', (last) => {
  expect(() => readRule({ ...none, last })).toThrow('--last is a whole number from 1 on');
});
