import { expect, test } from 'vitest';
import { readSourceMap, sourceMapIds } from './source-map.ts';

/** Line 1: column 0 is 1:0 of a.ts, column 10 is 3:4 of a.ts named pay, column 20 is 1:2 of b.ts. */
const map = {
  version: 3,
  file: 'index.bundle',
  sources: ['src/a.ts', 'src/b.ts'],
  names: ['pay'],
  mappings: 'AAAA,UAEIA,UCFF',
  debugId: '85314830-023F-4CF1-A267-535F4E37BB17',
};
const read = (value: unknown) => readSourceMap(Buffer.from(JSON.stringify(value)));
const at = (column: number, more: object = {}) => ({ line: 1, column, isOffset: false, ...more });

test('finds a position in a bundle in the source, with columns from one as in browsers', () => {
  expect(read(map).find(at(11, { method: 'n' }))).toEqual({
    file: 'src/a.ts',
    line: 3,
    column: 5,
    method: 'n',
    calls: 'pay',
  });
  expect(read(map).find(at(30))).toMatchObject({ file: 'src/b.ts', line: 1, column: 3 });
});

test('Hermes offsets count from zero', () => {
  expect(read(map).find(at(9, { isOffset: true }))).toMatchObject({ line: 1 });
  expect(read(map).find(at(10, { isOffset: true }))).toMatchObject({ line: 3 });
});

test('finds nothing for positions outside of the map', () => {
  expect([
    read(map).find({ line: 9, column: 1, isOffset: false }),
    read(map).find({ line: 0, column: 1, isOffset: false }),
  ]).toEqual([undefined, undefined]);
});

test('reads a sectioned source map as one', () => {
  const indexed = { version: 3, sections: [{ offset: { line: 4, column: 0 }, map }] };
  expect(read(indexed).find({ line: 5, column: 11, isOffset: false })).toMatchObject({ file: 'src/a.ts', line: 3 });
});

test('names functions by the Metro function map', () => {
  const withScopes = { ...map, x_facebook_sources: [[{ names: ['<global>', 'Cart.pay'], mappings: 'AAA;ACEA' }]] };
  expect(read(withScopes).find(at(1))?.method).toBe('<global>');
  expect(read(withScopes).find(at(11, { method: 'n' }))?.method).toBe('Cart.pay');
});

test('a source map has an ID of its content and that of the bundler', () => {
  expect(sourceMapIds(Buffer.from(JSON.stringify(map)))).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    otherIds: ['85314830023f4cf1a267535f4e37bb17'],
    file: 'index.bundle',
  });
});

test.each([
  ['no JSON', 'hello', 'The file is not JSON'],
  ['another version', '{"version":2,"sources":[]}', 'not a source map of version 3'],
  ['nothing', 'null', 'not a source map of version 3'],
  ['no sources', '{"version":3}', 'lists no sources'],
])('refuses %s', (_, text, message) => {
  expect(() => readSourceMap(Buffer.from(text))).toThrow(message);
});

test('refuses a source map with more lines than any bundle before reading it', () => {
  const far = (line: unknown) => ({ version: 3, sections: [{ offset: { line, column: 0 }, map }] });
  const twice = { version: 3, sections: [{ offset: { line: 1_500_000, column: 0 }, map: far(1_500_000) }] };
  for (const hostile of [{ ...map, mappings: ';'.repeat(3_000_000) }, far(30_000_000), far('1e9'), far('x'), twice]) {
    expect(() => read(hostile)).toThrow('more than 2000000 lines');
    expect(() => sourceMapIds(Buffer.from(JSON.stringify(hostile)))).toThrow('more than 2000000 lines');
  }
  const sections = Array.from({ length: 50_001 }, () => ({ offset: { line: 0, column: 0 }, map: null }));
  expect(() => read({ version: 3, sections })).toThrow('more than 50000 sections');
  let nested: object = map;
  for (let depth = 0; depth < 4000; depth += 1) {
    nested = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: nested }] };
  }
  expect(() => read(nested)).toThrow('nested more than 20 levels deep');
});

test('reads or refuses invalid mappings, quickly', () => {
  for (const mappings of [
    ';'.repeat(1_000_000),
    ','.repeat(1_000_000),
    'A'.repeat(1_000_000),
    '!!',
    'gggggggggggggggggg',
  ]) {
    try {
      read({ ...map, mappings }).find(at(5));
    } catch (error) {
      expect((error as Error).name).toBe('Unreadable');
    }
  }
  const deep = { ...map, x_facebook_sources: [[{ names: ['a'], mappings: 'gggggggggggggggggggggggg;;;,,,' }]] };
  expect(read(deep).find(at(11))?.method).toBeUndefined();
});
