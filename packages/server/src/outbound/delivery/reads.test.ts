import { expect, test } from 'vitest';
import { createReads } from './reads.ts';

test('what several ask for in the same moment is read in one go, and nothing twice', async () => {
  const reads = createReads();
  const asked: (readonly string[])[] = [];
  const read = async (ids: readonly string[]) => {
    asked.push(ids);
    return new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `value of ${id}`]));
  };
  const ask = (id: string) => reads.among('things', id, read);
  expect(await Promise.all([ask('a'), ask('b'), ask('a'), ask('gone')])).toEqual([
    'value of a',
    'value of b',
    'value of a',
    undefined,
  ]);
  expect(await Promise.all([ask('b'), ask('c')])).toEqual(['value of b', 'value of c']);
  expect(asked).toEqual([['a', 'b', 'gone'], ['c']]);
});

test('what cannot be read is told to all who asked; other things are read for themselves', async () => {
  const reads = createReads();
  const fail = () => Promise.reject(new Error('away'));
  const others = reads.among('others', 'a', async () => new Map([['a', 1]]));
  const failed = await Promise.allSettled([reads.among('things', 'a', fail), reads.among('things', 'b', fail)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await others).toBe(1);
  let count = 0;
  const read = async () => {
    count += 1;
    return count;
  };
  expect([await reads.once('x', read), await reads.once('x', read), await reads.once('y', read)]).toEqual([1, 1, 2]);
});
