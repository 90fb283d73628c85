import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../test-support/hostile-text.ts';
import { parseSearchTerms, searchKey } from './search-key.ts';

test.each([
  ['Ärger', 'arger'],
  ['ÅNGSTRÖM', 'angstrom'],
  ['Ｆｕｌｌ', 'full'],
  ['Привет', 'привет'],
  ['İstanbul', 'istanbul'],
  ['100 %_\\', '100 %_\\'],
])('%s has the search key %s', (text, key) => {
  expect(searchKey(text)).toBe(key);
});

test('a key is short and well-formed for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anySign, maxLength: 500 }), (text) => {
      const key = searchKey(text);
      expect([key.length <= 200, key.isWellFormed(), key]).toEqual([true, true, key.toLowerCase()]);
    }),
  );
  expect(searchKey('\uFDFA'.repeat(128))).toHaveLength(200);
  expect(searchKey(`${'a'.repeat(199)}😀`).isWellFormed()).toBe(true);
});

test('splits a search into distinct terms', () => {
  expect(parseSearchTerms('  Ferry\tTICKETS ferry Ärger')).toEqual(['ferry', 'tickets', 'arger']);
  expect([parseSearchTerms(''), parseSearchTerms(' '), parseSearchTerms()]).toEqual([[], [], []]);
});

test('rejects a search with too many terms and says what to do', () => {
  expect(parseSearchTerms('a b c d e f g h')).toHaveLength(8);
  expect(() => parseSearchTerms('a b c d e f g h i')).toThrow('search accepts at most 8 words. Remove some.');
});
