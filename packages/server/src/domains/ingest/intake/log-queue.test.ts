import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { noCounts } from '../counts.store.ts';
import type { Received } from './batch-writing.ts';
import { createLogQueue } from './log-queue.ts';

const received = (name: string, bytes = 10): Received => ({
  appId: name,
  installId: '',
  stored: { encoding: 'identity', body: Buffer.alloc(bytes), size: bytes },
  counts: noCounts(),
  invalid: [],
});

/** Creates a queue whose writes end when the test says so. */
async function openQueue(ingestQueueMb = 16) {
  const { deps } = await testApp('sqlite', { ingestQueueMb });
  const writes: { apps: string[]; done: PromiseWithResolvers<void> }[] = [];
  const queue = createLogQueue(deps, (_deps, group) => {
    const done = Promise.withResolvers<void>();
    writes.push({ apps: group.map(({ appId }) => appId), done });
    return done.promise;
  });
  const written = async (count: number) => {
    while (writes.length < count) await setImmediate();
    return writes;
  };
  return { queue, writes, written };
}

const hasSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    setImmediate(false),
  ]);

test('writes concurrent requests together and responds only after the write', async () => {
  const { queue, written } = await openQueue();
  const first = ['a', 'b', 'c'].map((name) => queue.add(received(name)));
  const [one] = await written(1);
  expect(one?.apps).toEqual(['a', 'b', 'c']);
  // Requests that arrive during a write form the next group.
  const later = queue.add(received('d'));
  expect(await hasSettled(Promise.all(first))).toBe(false);
  one?.done.resolve();
  await Promise.all(first);
  const [, two] = await written(2);
  expect(two?.apps).toEqual(['d']);
  expect(await hasSettled(later)).toBe(false);
  two?.done.resolve();
  await later;
});

test('a failed group rejects all its requests, and the next one is written', async () => {
  const { queue, written } = await openQueue();
  const failing = Promise.allSettled([queue.add(received('a')), queue.add(received('b'))]);
  (await written(1))[0]?.done.reject(new Error('no room'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = queue.add(received('c'));
  (await written(2))[1]?.done.resolve();
  await next;
});

test('only requests of a deleted app fail', async () => {
  const { queue, written } = await openQueue();
  const all = Promise.allSettled(['a', 'b', 'a'].map((name) => queue.add(received(name))));
  const gone = Object.assign(new Error('gone'), { code: '23503' });
  (await written(1))[0]?.done.reject(gone);
  (await written(2))[1]?.done.reject(gone);
  const writes = await written(3);
  expect(writes.map(({ apps }) => apps)).toEqual([['a', 'b', 'a'], ['a', 'a'], ['b']]);
  writes[2]?.done.resolve();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
});

test('beyond its limit refuses immediately with 503, and accepts again after a write', async () => {
  const { queue, written } = await openQueue();
  const adding = [queue.add(received('a', 9 * 1024 * 1024)), queue.add(received('b', 9 * 1024 * 1024))];
  expect(() => queue.refuseIfFull('another')).toThrow(expect.objectContaining({ code: 'ServiceUnavailable' }));
  for (const { done } of await written(1)) done.resolve();
  await Promise.all(adding);
  await setImmediate();
  expect(() => queue.refuseIfFull('another')).not.toThrow();
});

/** Returns the sizes, in bytes, of each written group. */
async function getGroupSizes(sizes: number[]): Promise<number[][]> {
  const { queue, written } = await openQueue();
  const adding = Promise.all(sizes.map((bytes, at) => queue.add(received(String(at), bytes))));
  const groups: number[][] = [];
  for (let count = 1; groups.flat().length < sizes.length; count += 1) {
    const write = (await written(count)).at(-1);
    groups.push(write?.apps.map((name) => sizes[Number(name)] ?? 0) ?? []);
    write?.done.resolve();
  }
  await adding;
  return groups;
}

test('a group has at most 500 requests', async () => {
  expect((await getGroupSizes(Array(1001).fill(10))).map(({ length }) => length)).toEqual([500, 500, 1]);
});

test('a group has at most 32 MiB, or one larger request', async () => {
  // Each request takes a little more than its batch.
  const half = 16 * 1024 * 1024 - 1000;
  expect(await getGroupSizes([half, half, half + 1, half])).toEqual([[half, half], [half + 1], [half]]);
  expect(await getGroupSizes([5 * half, 10])).toEqual([[5 * half], [10]]);
});

test('at most 20,000 requests wait, even small ones', async () => {
  const { queue } = await openQueue(64);
  for (let n = 0; n < 19_999; n += 1) void queue.add(received('a', 0));
  expect(() => queue.refuseIfFull('another')).not.toThrow();
  void queue.add(received('a', 0));
  expect(() => queue.refuseIfFull('another')).toThrow(expect.objectContaining({ code: 'ServiceUnavailable' }));
});

test('the setting limits the waiting MiB, and a request counts slightly more than its batch', async () => {
  const MiB = 1024 * 1024;
  const almost = await openQueue();
  void almost.queue.add(received('a', 16 * MiB - 1001));
  expect(() => almost.queue.refuseIfFull('another')).not.toThrow();
  const full = await openQueue();
  void full.queue.add(received('a', 16 * MiB - 1000));
  expect(() => full.queue.refuseIfFull('another')).toThrow('Retry later');
});

test('an app that floods the server is refused while there is still room for others', async () => {
  const { queue, written } = await openQueue();
  const flood = queue.add(received('a', 12 * 1024 * 1024));
  expect(() => queue.refuseIfFull('a')).toThrow('Retry later');
  expect(() => queue.refuseIfFull('b')).not.toThrow();
  for (const { done } of await written(1)) done.resolve();
  await flood;
  await setImmediate();
  expect(() => queue.refuseIfFull('a')).not.toThrow();
  const many = await openQueue();
  for (let n = 0; n < 15_000; n += 1) void many.queue.add(received('a', 0));
  expect(() => many.queue.refuseIfFull('a')).toThrow('Retry later');
  expect(() => many.queue.refuseIfFull('b')).not.toThrow();
});
