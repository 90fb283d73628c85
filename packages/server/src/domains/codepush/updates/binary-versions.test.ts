import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doRangesMeet, isBeyondRange, isInRange, readRange, readVersion } from './binary-versions.ts';

test.each([
  ['1', '1.0.0'],
  ['1.2', '1.2.0'],
  ['1.2.3', '1.2.3'],
  ['1.2-beta', '1.2.0-beta'],
  ['1-rc.1', '1.0.0-rc.1'],
  ['1.2+7', '1.2.0'],
  ['v1.2.3', '1.2.3'],
  [' 1.2.3 ', '1.2.3'],
  ['1.2.3-beta.4+build', '1.2.3-beta.4'],
  ['1.2.3.4', undefined],
  ['', undefined],
  ['latest', undefined],
  ['1.x', undefined],
  ['-1', undefined],
  ['1..2', undefined],
  ['1.2.3\n4', undefined],
  ['9'.repeat(300), undefined],
])('normalizes the version %j to %j', (text, version) => {
  expect(readVersion(text)).toBe(version);
});

test.each(['1.2.3', '1.2', '1', '*', '1.2.x', '^1.0.0', '~1.2', '>=1.0.0 <2.0.0', '1.0.0 - 2.0.0', '1.0.0 || 2.0.0'])(
  'accepts the range %j as written',
  (range) => {
    expect(readRange(` ${range} `)).toBe(range);
  },
);

test.each(['', '  ', 'latest', '1.2.3.4', '>=', 'a'.repeat(257), `1.0.0${' || 1.0.0'.repeat(100)}`])(
  'rejects %j as a range',
  (range) => {
    expect(readRange(range)).toBeUndefined();
  },
);

test('compares versions with ranges: in, beyond or before', () => {
  const compare = (version: string) => [isInRange(version, '^1.2.0'), isBeyondRange(version, '^1.2.0')];
  expect(compare('1.2.0')).toEqual([true, false]);
  expect(compare('2.0.0')).toEqual([false, true]);
  expect(compare('1.1.9')).toEqual([false, false]);
});

test.each([
  ['1.0.0', '1.0.0', true],
  ['1.2', '1.2.x', true],
  ['1.2.3', '^1.0.0', true],
  ['^1.0.0', '1.2.3', true],
  ['1.2', '^1.0.0', true],
  ['2.0.0', '^1.0.0', false],
  ['^1.0.0', '^1.2.0', false],
])('compares ranges %s and %s for a common device: %s', (one, other, doMeet) => {
  expect(doRangesMeet(one, other)).toBe(doMeet);
});

test('normalizes or rejects any version, and normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[v0-9.+a-z -]{0,20}$/)), (text) => {
      const version = readVersion(text);
      if (version !== undefined) expect(readVersion(version)).toBe(version);
    }),
  );
});
