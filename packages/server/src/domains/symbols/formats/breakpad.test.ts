import { expect, test, vi } from 'vitest';
import { indexBreakpad, readBreakpadModule } from './breakpad.ts';

const id = '33221100554477668899AABBCCDDEEFF0';
const file = `MODULE Linux arm64 ${id} libshop.so
INFO CODE_ID 00112233445566778899AABBCCDDEEFF libshop.so
FILE 0 /src/cart.cpp
FILE 1 /src/price of.h
INLINE_ORIGIN 0 Price::round(int)
INLINE_ORIGIN 1 Price::add(Price const&)
FUNC 1000 40 0 Cart::pay(int, char const*)
INLINE 0 12 0 1 1010 20
INLINE 1 30 1 0 1018 8
1000 10 10 0
1010 8 31 1
1018 8 7 1
1020 10 32 1
1030 10 13 0
FUNC m 2000 10 0 Cart::refund()
2000 10 50 0
PUBLIC 3000 0 start
PUBLIC m 3100 0 stop here
STACK CFI INIT 1000 40 .cfa: sp 0 + .ra: x30
STACK CFI 1004 .cfa: sp 32 + x29: .cfa -32 + ^ .ra: .cfa -24 + ^
STACK CFI 1030 .cfa: sp 0 + .ra: x30
`;
const symbols = indexBreakpad(Buffer.from(file));

test('the first lines name the module', () => {
  expect(readBreakpadModule(Buffer.from(file))).toEqual({
    os: 'Linux',
    arch: 'arm64',
    id,
    name: 'libshop.so',
    codeId: '00112233445566778899aabbccddeeff',
  });
  for (const wrong of ['', 'MODULE Linux arm64 xyz libshop.so\n', 'FUNC 1 2 3 x\n']) {
    expect(() => readBreakpadModule(Buffer.from(wrong))).toThrow('The first line is not "MODULE');
  }
});

test.each<
  [what: string, address: number, places: [method: string, file: string | undefined, line: number | undefined][]]
>([
  ['a function', 0x1004, [['Cart::pay(int, char const*)', '/src/cart.cpp', 10]]],
  [
    'one that was inlined',
    0x1010,
    [
      ['Price::add(Price const&)', '/src/price of.h', 31],
      ['Cart::pay(int, char const*)', '/src/cart.cpp', 12],
    ],
  ],
  [
    'one inlined into an inlined one',
    0x101c,
    [
      ['Price::round(int)', '/src/price of.h', 7],
      ['Price::add(Price const&)', '/src/price of.h', 30],
      ['Cart::pay(int, char const*)', '/src/cart.cpp', 12],
    ],
  ],
  ['the last byte of a function', 0x103f, [['Cart::pay(int, char const*)', '/src/cart.cpp', 13]]],
  ['a function that is in several places', 0x2001, [['Cart::refund()', '/src/cart.cpp', 50]]],
  ['a name without lines', 0x3010, [['start', undefined, undefined]]],
  ['a name in several places', 0x3200, [['stop here', undefined, undefined]]],
  ['past the end of a function', 0x1040, []],
  ['before everything', 0x10, []],
])('an address in %s is found', (_, address, places) => {
  expect(symbols.find(address).map(({ method, file, line }) => [method, file, line])).toEqual(places);
});

test('unwind rules accumulate up to the address', () => {
  const at = (address: number) => Object.fromEntries(symbols.unwindRules(address) ?? []);
  expect(at(0x1000)).toEqual({ '.cfa': 'sp 0 +', '.ra': 'x30' });
  expect(at(0x1008)).toEqual({ '.cfa': 'sp 32 +', x29: '.cfa -32 + ^', '.ra': '.cfa -24 + ^' });
  expect(at(0x1034)).toEqual({ '.cfa': 'sp 0 +', x29: '.cfa -32 + ^', '.ra': 'x30' });
  expect(symbols.unwindRules(0x1040)).toBeUndefined();
});

test('accepts Windows line endings', () => {
  const [place] = indexBreakpad(Buffer.from(file.replaceAll('\n', '\r\n'))).find(0x1004);
  expect(place).toEqual({ method: 'Cart::pay(int, char const*)', file: '/src/cart.cpp', line: 10 });
});

test('reads a file of many megabytes once, regardless of its lines', () => {
  const count = 400_000;
  const lines = Array.from({ length: count }, (_, index) => `FUNC ${(index * 16).toString(16)} 10 0 f${index}`);
  const many = indexBreakpad(Buffer.from(lines.reverse().join('\n')));
  expect(many.find(16 * 399_999 + 3)).toEqual([{ method: 'f399999', line: undefined, file: undefined }]);
  const oneLine = indexBreakpad(Buffer.concat([Buffer.from('FUNC 0 10 0 '), Buffer.alloc(20_000_000, 'a')]));
  expect(oneLine.find(1)[0]?.method).toHaveLength(16_384);
  const oneFunction = `FUNC 0 ffffff 0 f\n${'0 1 1 0\n'.repeat(count)}`;
  expect(indexBreakpad(Buffer.from(oneFunction)).find(5)).toHaveLength(1);
  const inlined = indexBreakpad(Buffer.from(`FUNC 0 ffffff 0 f\n${'INLINE 0 1 0 0 0 ffffff\n'.repeat(count)}`));
  expect(inlined.find(5)).toHaveLength(201);
  const cfi = `STACK CFI INIT 0 ffffff .cfa: sp 0 +\n${'STACK CFI 1 .cfa: sp 16 +\n'.repeat(count)}STACK CFI 1 .cfa: sp 32 +\n`;
  expect(indexBreakpad(Buffer.from(cfi)).unwindRules(9)?.get('.cfa')).toBe('sp 16 +');
  const noLines = indexBreakpad(Buffer.alloc(20_000_000, '\n'));
  expect(noLines.find(1)).toEqual([]);
});

test('finds functions in any order of their addresses without comparing them', () => {
  const sorted = vi.spyOn(Uint32Array.prototype, 'sort');
  const addresses = Array.from({ length: 3_000 }, (_, n) => ((n * 7_919) % 3_000) * 0x100_0001);
  const lines = addresses.map((address) => `FUNC ${address.toString(16)} 10 0 at${address}`);
  const odd = ['FUNC zz 10 0 none', 'FUNC -5 10 0 negative', `FUNC ${'f'.repeat(40)} 10 0 huge`];
  const found = indexBreakpad(Buffer.from([...odd, ...lines].join('\n')));
  for (const address of addresses) expect(found.find(address + 1)).toEqual([{ method: `at${address}` }]);
  expect(sorted).not.toHaveBeenCalled();
  sorted.mockRestore();
});
