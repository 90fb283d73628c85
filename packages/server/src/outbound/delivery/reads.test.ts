import { expect, test } from 'vitest';
import { createReads } from './reads.ts';

test('reads concurrently requested keys in one batch and none twice', async () => {
  const reads = createReads();
  const batches: (readonly string[])[] = [];
  const read = async (ids: readonly string[]) => {
    batches.push(ids);
    return new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `value of ${id}`]));
  };
  const findThing = (id: string) => reads.among('things', id, read);
  expect(await Promise.all([findThing('a'), findThing('b'), findThing('a'), findThing('gone')])).toEqual([
    'value of a',
    'value of b',
    'value of a',
    undefined,
  ]);
  expect(await Promise.all([findThing('b'), findThing('c')])).toEqual(['value of b', 'value of c']);
  expect(batches).toEqual([['a', 'b', 'gone'], ['c']]);
});

test('a failed read rejects all its callers; other keys are read separately', async () => {
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
