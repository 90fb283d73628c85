import { expect, test } from 'vitest';
import { createGrouping } from './grouping.ts';

/** Writes groups that can be looked at; those with a spoiled item fail. */
function grouping(limits: { most?: number; mostWaiting?: number } = {}) {
  const groups: string[][] = [];
  const write = async (items: readonly string[]): Promise<void> => {
    if (items.includes('spoiled')) throw new Error('cannot be written');
    groups.push([...items]);
  };
  return { groups, put: createGrouping({ write, waitMs: 0, ...limits }) };
}

test('what comes at once is written at once, as many as may be together', async () => {
  const { groups, put } = grouping({ most: 2 });
  await Promise.all(['a', 'b', 'c'].map(put));
  expect(groups).toEqual([['a', 'b'], ['c']]);
  await put('d');
  expect(groups.at(-1)).toEqual(['d']);
});

test('what comes while others are written is written after them, one group at a time', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const groups: string[][] = [];
  const put = createGrouping<string>({
    waitMs: 0,
    write: async (items) => {
      groups.push([...items]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
    },
  });
  const first = put('a');
  await expect.poll(() => gates.length).toBe(1);
  const second = put('b');
  expect(groups).toEqual([['a']]);
  gates[0]?.resolve();
  await first;
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.resolve();
  await second;
  expect(groups).toEqual([['a'], ['b']]);
});

test('one that cannot be written spoils nothing for the others', async () => {
  const { groups, put } = grouping();
  const written = await Promise.allSettled(['a', 'spoiled', 'b'].map(put));
  expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([['a'], ['b']]);
});

test('more than may wait is sent away', async () => {
  const { groups, put } = grouping({ mostWaiting: 2 });
  const kept = [put('a'), put('b')];
  expect(() => put('c')).toThrow('More comes than this server can write just now; send it again later.');
  await Promise.all(kept);
  expect(groups).toEqual([['a', 'b']]);
});
