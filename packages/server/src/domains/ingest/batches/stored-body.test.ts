import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeText } from '../validation/parse-body.ts';
import { fromStored, toStored } from './stored-body.ts';

test.each([
  [1399, 'identity'],
  [1400, 'zstd'],
])('stores %d bytes as %s, and reads them back', async (size, encoding) => {
  const plain = Buffer.alloc(size, 'log ');
  const stored = await toStored(plain);
  expect([stored.encoding, stored.size]).toEqual([encoding, size]);
  expect(Buffer.from(await fromStored(stored))).toEqual(plain);
});

test('stops reading when the decompressed size exceeds the stated one', async () => {
  const body = gzipSync(Buffer.alloc(100_000));
  await expect(fromStored({ encoding: 'gzip', body, size: 99_999 })).rejects.toThrow(/larger than/);
  expect(await fromStored({ encoding: 'gzip', body, size: 100_000 })).toHaveLength(100_000);
});

test('removes a byte order mark at the start, and only there', () => {
  expect(decodeText(Buffer.from('\uFEFF{"a":"\uFEFF"}'))).toBe('{"a":"\uFEFF"}');
  // Part of a larger buffer, like data from a socket.
  expect(decodeText(Buffer.from('before{}after').subarray(6, 8))).toBe('{}');
});
