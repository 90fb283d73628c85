import { expect, test } from 'vitest';
import { portablePdb } from '../../../../test/harness/portable-pdb.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readPortablePdb } from './portable-pdb.ts';
import { bufferSource } from './source.ts';

const guid = '1d6929b4468b4db893899a12bd257e1b';
const file = portablePdb({
  guid,
  stamp: 0x0b8cf31e,
  file: '/src/Shop/Cart.cs',
  methods: [[{ offset: 0, line: 12 }, { offset: 7 }, { offset: 9, line: 14 }, { offset: 20, line: 11 }], []],
});

test('finds the line of an offset in a method, without code of the compiler', () => {
  const { image, find } = readPortablePdb(bufferSource(file));
  expect(image).toMatchObject({ id: `${guid}-b8cf31e`, hasLines: true });
  const lines = [0, 6, 8, 9, 19, 20, 5000].map((offset) => find(1, offset)?.line);
  expect(lines).toEqual([12, 12, 12, 14, 14, 11, 11]);
  expect(find(1, 0)).toEqual({ file: '/src/Shop/Cart.cs', line: 12, column: 9 });
  for (const method of [0, 2, 3, -1, Number.NaN, 2 ** 31]) expect(find(method, 0)).toBeUndefined();
});

test('refuses a truncated or changed file with a reason, and never takes long', () => {
  let refused = 0;
  const start = performance.now();
  for (let at = 0; at < file.length; at++) {
    for (const content of [file.subarray(0, at), Buffer.from(file).fill(0xff, at, Math.min(at + 4, file.length))]) {
      try {
        const { find } = readPortablePdb(bufferSource(content));
        for (let method = 0; method < 3; method++) find(method, 20);
      } catch (error) {
        expect(error).toBeInstanceOf(Unreadable);
        refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(file.length);
  expect(performance.now() - start).toBeLessThan(5000);
});
