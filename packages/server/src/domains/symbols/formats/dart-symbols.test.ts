import { expect, test } from 'vitest';
import { readDartSymbols } from './dart-symbols.ts';

const read = (value: unknown) => readDartSymbols(Buffer.from(JSON.stringify(value)));

test('restores whole names only, also in types with parameters', () => {
  const { restore } = read(['Cart', 'a', 'List', 'b', '_Private', '__proto__', 'Same', 'Same']);
  expect(['a', 'b<a>', 'ab', 'a.b', '__proto__', 'Same', 'constructor', ''].map(restore)).toEqual([
    'Cart',
    'List<Cart>',
    undefined,
    'Cart.List',
    '_Private',
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([{}, ['a'], ['a', 1], 'a', null, [[], []]])('refuses %j', (value) => {
  expect(() => read(value)).toThrow('not a JSON list of pairs of names');
});
