import { expect, test } from 'vitest';
import { eachRow } from './each-row.ts';

test.each([
  [0, ['']],
  [2, ['']],
  [3, ['', 'c']],
  [7, ['', 'c', 'f']],
])('yields each of %i rows once, in pages of three', async (count, expectedReads) => {
  const all = [...'abcdefg'].slice(0, count);
  const afters: string[] = [];
  const read = async ({ after, limit }: { after: string; limit: number }) => {
    afters.push(after);
    return all.filter((key) => key > after).slice(0, limit);
  };
  expect(await Array.fromAsync(eachRow(read, (key) => key, 3))).toEqual(all);
  expect(afters).toEqual(expectedReads);
});

test('reads pages of 100 rows by default', async () => {
  const limits: number[] = [];
  const read = async ({ limit }: { limit: number }) => {
    limits.push(limit);
    return [];
  };
  await Array.fromAsync(eachRow(read, String));
  expect(limits).toEqual([100]);
});
