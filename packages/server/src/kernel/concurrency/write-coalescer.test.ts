import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WriteCoalescer, type WriteCoalescerOptions } from './write-coalescer.ts';

type Options = Partial<WriteCoalescerOptions<string>>;

/** Records the written groups; groups with an invalid item fail. */
function openQueue(options: Options = {}) {
  const groups: string[][] = [];
  const queue = new WriteCoalescer<string>({
    write: async (group) => {
      const items = group.takeAll();
      groups.push(items);
      if (items.includes('invalid')) throw new Error('cannot be written');
    },
    ...options,
  });
  return { groups, queue };
}

/** Creates a queue whose writes end when the test ends them. */
function openGatedQueue(options: Options = {}) {
  const writes: { items: string[]; done: PromiseWithResolvers<void> }[] = [];
  const queue = new WriteCoalescer<string>({
    write: (group) => {
      const done = Promise.withResolvers<void>();
      writes.push({ items: group.takeAll(), done });
      return done.promise;
    },
    ...options,
  });
  const waitForWrites = async (count: number) => {
    while (writes.length < count) await setImmediate();
    return writes.map(({ items }) => items);
  };
  return { queue, writes, waitForWrites };
}

const getStatuses = async (promises: Promise<void>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status);

test('writes items that arrive together in one group, up to the limit of a group', async () => {
  const { groups, queue } = openQueue({ maxItems: 2 });
  await Promise.all(['a', 'b', 'c'].map((item) => queue.add(item)));
  expect(groups).toEqual([['a', 'b'], ['c']]);
  await queue.add('d');
  expect(groups.at(-1)).toEqual(['d']);
});

test('writes one group at a time, and resolves an item only when its group is written', async () => {
  const { queue, writes, waitForWrites } = openGatedQueue();
  const settled: string[] = [];
  const first = queue.add('a').then(() => settled.push('a'));
  await waitForWrites(1);
  const second = queue.add('b').then(() => settled.push('b'));
  await setImmediate();
  expect([writes.length, settled]).toEqual([1, []]);
  writes[0]?.done.resolve();
  await first;
  expect(await waitForWrites(2)).toEqual([['a'], ['b']]);
  expect(settled).toEqual(['a']);
  writes[1]?.done.resolve();
  await second;
});

test('ends a group before an item that would exceed its bytes; a larger item forms its own group', async () => {
  const { groups, queue } = openQueue({ maxBytes: 10 });
  const sizes = [5, 5, 6, 5, 30, 1];
  await Promise.all(sizes.map((bytes) => queue.add(String(bytes), String(Math.random()), bytes)));
  expect(groups).toEqual([['5', '5'], ['6'], ['5'], ['30'], ['1']]);
});

test('takes turns between keys, and keeps the order within a key', async () => {
  const { groups, queue } = openQueue({ maxItems: 4 });
  const items = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'];
  await Promise.all(items.map((item) => queue.add(item, item[0])));
  expect(groups).toEqual([
    ['a1', 'b1', 'c1', 'a2'],
    ['c2', 'a3', 'a4'],
  ]);
});

test('rejects all items of a group that fails, and writes the next group', async () => {
  const { groups, queue } = openQueue();
  expect(await getStatuses(['a', 'invalid'].map((item) => queue.add(item)))).toEqual(['rejected', 'rejected']);
  await queue.add('b');
  expect(groups).toEqual([['a', 'invalid'], ['b']]);
});

test('retries the items of a failed group one by one, so that an invalid item fails alone', async () => {
  const { groups, queue } = openQueue({ retry: () => 'items' });
  const adding = ['a', 'invalid', 'b'].map((item) => queue.add(item));
  expect(await getStatuses(adding)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([['a', 'invalid', 'b'], ['a'], ['invalid'], ['b']]);
});

test('retries the items of a failed group key by key, so that a key fails alone', async () => {
  const { groups, queue } = openQueue({ retry: () => 'keys' });
  const adding = [queue.add('a1', 'a'), queue.add('invalid', 'b'), queue.add('a2', 'a')];
  expect(await getStatuses(adding)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([['a1', 'invalid', 'a2'], ['a1', 'a2'], ['invalid']]);
});

test('rejects all queued items if the writer fails before it takes one', async () => {
  let isDown = true;
  const { groups, queue } = openQueue({ maxItems: 1 });
  const failing = new WriteCoalescer<string>({
    maxItems: 1,
    write: async (group) => {
      if (isDown) throw new Error('locked');
      await queue.add(group.takeAll().join());
    },
  });
  const adding = [failing.add('a', 'x'), failing.add('b', 'x'), failing.add('c', 'y')];
  expect(await getStatuses(adding)).toEqual(Array(3).fill('rejected'));
  isDown = false;
  await failing.add('d');
  expect(groups).toEqual([['d']]);
});

test('lets a writer take items that arrive meanwhile', async () => {
  const taken: (string | undefined)[] = [];
  const queue = new WriteCoalescer<string>({
    maxWaitMs: 0,
    write: async (group) => {
      taken.push(group.take());
      await setImmediate();
      taken.push(group.take(), group.take());
    },
  });
  const first = queue.add('a');
  expect(taken).toEqual(['a']);
  await Promise.all([first, queue.add('b')]);
  expect(taken).toEqual(['a', 'b', undefined]);
});

test('refuses items beyond the limit, which includes those being written', async () => {
  const { queue, writes, waitForWrites } = openGatedQueue({ maxPending: 2, maxPendingBytes: 100 });
  const adding = [queue.add('a'), queue.add('b')];
  const isRefused = 'Too many writes are queued. Retry later.';
  expect(() => queue.refuseIfFull()).toThrow(isRefused);
  await waitForWrites(1);
  expect(() => queue.refuseIfFull()).toThrow(isRefused);
  writes[0]?.done.resolve();
  await Promise.all(adding);
  expect(() => queue.refuseIfFull()).not.toThrow();
  void queue.add('large', 'a', 99);
  expect(() => queue.refuseIfFull()).not.toThrow();
  void queue.add('small', 'b', 1);
  expect(() => queue.refuseIfFull()).toThrow(expect.objectContaining({ code: 'ServiceUnavailable' }));
});

test('refuses a key beyond its share while other keys are accepted', async () => {
  const { queue } = openGatedQueue({ maxPending: 4, maxPendingBytes: 100, maxKeyShare: 0.5 });
  void queue.add('1', 'a');
  expect(() => queue.refuseIfFull('a')).not.toThrow();
  void queue.add('2', 'a', 10);
  expect(() => queue.refuseIfFull('a')).toThrow('Retry later');
  expect(() => queue.refuseIfFull('b')).not.toThrow();
  void queue.add('3', 'b', 50);
  expect(() => queue.refuseIfFull('b')).toThrow('Retry later');
  expect(() => queue.refuseIfFull('c')).not.toThrow();
});
