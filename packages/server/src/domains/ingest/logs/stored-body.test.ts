import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fromStored, textOf, toStored } from './stored-body.ts';

test.each([
  [1399, 'identity'],
  [1400, 'zstd'],
])('%d bytes are kept as %s, and come back', async (size, encoding) => {
  const plain = Buffer.alloc(size, 'log ');
  const stored = await toStored(plain);
  expect([stored.encoding, stored.size]).toEqual([encoding, size]);
  expect(Buffer.from(await fromStored(stored))).toEqual(plain);
});

test('what inflates to more than was said is not read on', async () => {
  const body = gzipSync(Buffer.alloc(100_000));
  await expect(fromStored({ encoding: 'gzip', body, size: 99_999 })).rejects.toThrow(/larger than/);
  expect(await fromStored({ encoding: 'gzip', body, size: 100_000 })).toHaveLength(100_000);
});

test('a mark of byte order in front is no text, and later on it is', () => {
  expect(textOf(Buffer.from('\uFEFF{"a":"\uFEFF"}'))).toBe('{"a":"\uFEFF"}');
  // Part of a larger buffer, as what comes from a socket is.
  expect(textOf(Buffer.from('before{}after').subarray(6, 8))).toBe('{}');
});
