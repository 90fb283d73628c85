import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../tools/hostile-text.ts';
import { searchKey, searchWords } from './search-key.ts';

test.each([
  ['Ärger', 'arger'],
  ['ÅNGSTRÖM', 'angstrom'],
  ['Ｆｕｌｌ', 'full'],
  ['Привет', 'привет'],
  ['İstanbul', 'istanbul'],
  ['100 %_\\', '100 %_\\'],
])('%s is found as %s', (text, key) => {
  expect(searchKey(text)).toBe(key);
});

test('a key is short and well-formed, whatever the text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: anySign, maxLength: 500 }), (text) => {
      const key = searchKey(text);
      expect([key.length <= 200, key.isWellFormed(), key]).toEqual([true, true, key.toLowerCase()]);
    }),
  );
  expect(searchKey('\uFDFA'.repeat(128))).toHaveLength(200);
  expect(searchKey(`${'a'.repeat(199)}😀`).isWellFormed()).toBe(true);
});

test('a search is its words, once each', () => {
  expect(searchWords('  Ferry\tTICKETS ferry Ärger')).toEqual(['ferry', 'tickets', 'arger']);
  expect([searchWords(''), searchWords(' '), searchWords()]).toEqual([[], [], []]);
});

test('a search of more words than are looked for is refused, and says what to do', () => {
  expect(searchWords('a b c d e f g h')).toHaveLength(8);
  expect(() => searchWords('a b c d e f g h i')).toThrow('search takes at most 8 words; leave some away.');
});
