import { expect, test } from 'vitest';
import { readMsgpack } from './msgpack.ts';

test('declared lengths reserve no memory, at any level', () => {
  const bytes = Buffer.alloc(7 * 1024 * 1024);
  // Each level is a list that could have as many items as the file has bytes.
  for (let level = 0; level < 64; level += 1) bytes.set([0xdd, 0x00, 0x6f, 0x00, 0x00], level * 5);
  expect(readMsgpack(bytes)).toEqual([]);
});

test('keys that are no text do no harm', () => {
  // A map whose key is the map {"toString": 1}.
  const key = Buffer.concat([Buffer.from([0x81, 0xa8]), Buffer.from('toString'), Buffer.from([1])]);
  expect(readMsgpack(Buffer.concat([Buffer.from([0x81]), key, Buffer.from([2])]))).toEqual([{ '': 2 }]);
});
