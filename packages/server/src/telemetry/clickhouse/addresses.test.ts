import { expect, test } from 'vitest';
import { nameOf, readShards } from './addresses.ts';

const named = (text: string): string[][] => readShards(text).map((urls) => urls.map(nameOf));

test.each([
  ['http://a:8123', [['a:8123']]],
  ['https://user:pass%2Fword@a:8443/db', [['a:8443/db']]],
  ['http://u:p,w@a/', [['a']]],
  ['http://a/,http://b/', [['a', 'b']]],
  ['http://a/ , http://b/', [['a', 'b']]],
  ['http://a/x,http://b/x https://c/y', [['a/x', 'b/x'], ['c/y']]],
  ['  http://a/\n  http://b/\n', [['a'], ['b']]],
  ['http://a/x http://a/y', [['a/x'], ['a/y']]],
])('%s is servers of shards', (text, shards) => {
  expect(named(text)).toEqual(shards);
});

test.each([
  ['', /addresses such as/],
  ['a:8123', /addresses such as/],
  ['ftp://a/', /addresses such as/],
  ['http://a/x/y', /addresses such as/],
  ['http://a/?database=x', /addresses such as/],
  ['http://a/#x', /addresses such as/],
  ['http://a/%', /addresses such as/],
  ['http://u:%@a/', /addresses such as/],
  ['http://a/;http://b/', /commas between them, shards with spaces/],
  ['http://a/,', /commas between them, shards with spaces/],
  ['http://a/ b', /commas between them, shards with spaces/],
  ['http://a/,http://a/', /not a twice/],
  ['http://a/ http://b/ https://x:y@a/', /not a twice/],
  ['http://a/x,http://b/y', /same database/],
])('%s is refused, with what to write', (text, reason) => {
  expect(() => readShards(text)).toThrow(reason);
});

test('what is wrong is told without any password', () => {
  for (const text of [
    'http://u:hidden@a/,http://u:hidden@a/',
    'http://u:hidden@a/x/y',
    'http://u:hidden@a/1,http://u:hidden@b/2',
  ]) {
    expect(() => readShards(text)).toThrow(expect.not.stringContaining('hidden'));
  }
});
