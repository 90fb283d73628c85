import { expect, test } from 'vitest';
import { getServerName, readShards } from './addresses.ts';

const named = (text: string): string[][] => readShards(text).map((urls) => urls.map(getServerName));

test.each([
  ['http://a:8123', [['a:8123']]],
  ['https://user:pass%2Fword@a:8443/db', [['a:8443/db']]],
  ['http://u:p,w@a/', [['a']]],
  ['http://a/,http://b/', [['a', 'b']]],
  ['http://a/ , http://b/', [['a', 'b']]],
  ['http://a/x,http://b/x https://c/y', [['a/x', 'b/x'], ['c/y']]],
  ['  http://a/\n  http://b/\n', [['a'], ['b']]],
  ['http://a/x http://a/y', [['a/x'], ['a/y']]],
])('reads the shards of %s', (text, shards) => {
  expect(named(text)).toEqual(shards);
});

test.each([
  ['', /URLs such as/],
  ['a:8123', /URLs such as/],
  ['ftp://a/', /URLs such as/],
  ['http://a/x/y', /URLs such as/],
  ['http://a/?database=x', /URLs such as/],
  ['http://a/#x', /URLs such as/],
  ['http://a/%', /URLs such as/],
  ['http://u:%@a/', /URLs such as/],
  ['http://a/;http://b/', /replicas comma-separated, shards separated by spaces/],
  ['http://a/,', /replicas comma-separated, shards separated by spaces/],
  ['http://a/ b', /replicas comma-separated, shards separated by spaces/],
  ['http://a/,http://a/', /it has a twice/],
  ['http://a/ http://b/ https://x:y@a/', /it has a twice/],
  ['http://a/x,http://b/y', /same database/],
])('%s is rejected with an example', (text, reason) => {
  expect(() => readShards(text)).toThrow(reason);
});

test('error messages contain no password', () => {
  for (const text of [
    'http://u:hidden@a/,http://u:hidden@a/',
    'http://u:hidden@a/x/y',
    'http://u:hidden@a/1,http://u:hidden@b/2',
  ]) {
    expect(() => readShards(text)).toThrow(expect.not.stringContaining('hidden'));
  }
});
