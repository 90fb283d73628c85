import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { noCounts } from '../counts.store.ts';
import type { Received } from './batch-writing.ts';
import { createReceiver } from './receiver.ts';

const received = (name: string, bytes = 10): Received => ({
  appId: name,
  installId: '',
  stored: { encoding: 'identity', body: Buffer.alloc(bytes), size: bytes },
  counts: noCounts(),
  invalid: [],
});

/** A receiver whose writes end when the test says so. */
async function withWrites(ingestQueueMb = 16) {
  const { deps } = await testApp('sqlite', { ingestQueueMb });
  const writes: { apps: string[]; done: PromiseWithResolvers<void> }[] = [];
  const receiver = createReceiver(deps, (_deps, group) => {
    const done = Promise.withResolvers<void>();
    writes.push({ apps: group.map(({ appId }) => appId), done });
    return done.promise;
  });
  const written = async (count: number) => {
    while (writes.length < count) await setImmediate();
    return writes;
  };
  return { receiver, writes, written };
}

const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    setImmediate(false),
  ]);

test('what comes together is written together, and nobody is answered before that', async () => {
  const { receiver, written } = await withWrites();
  const first = ['a', 'b', 'c'].map((name) => receiver.add(received(name)));
  const [one] = await written(1);
  expect(one?.apps).toEqual(['a', 'b', 'c']);
  // What comes while the disk is waited for is the next group.
  const later = receiver.add(received('d'));
  expect(await isSettled(Promise.all(first))).toBe(false);
  one?.done.resolve();
  await Promise.all(first);
  const [, two] = await written(2);
  expect(two?.apps).toEqual(['d']);
  expect(await isSettled(later)).toBe(false);
  two?.done.resolve();
  await later;
});

test('a group that fails tells everybody in it, and the next one is written', async () => {
  const { receiver, written } = await withWrites();
  const failing = Promise.allSettled([receiver.add(received('a')), receiver.add(received('b'))]);
  (await written(1))[0]?.done.reject(new Error('no room'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = receiver.add(received('c'));
  (await written(2))[1]?.done.resolve();
  await next;
});

test('an app that is gone fails alone', async () => {
  const { receiver, written } = await withWrites();
  const all = Promise.allSettled(['a', 'b', 'a'].map((name) => receiver.add(received(name))));
  const gone = Object.assign(new Error('gone'), { code: '23503' });
  (await written(1))[0]?.done.reject(gone);
  (await written(2))[1]?.done.reject(gone);
  const writes = await written(3);
  expect(writes.map(({ apps }) => apps)).toEqual([['a', 'b', 'a'], ['a', 'a'], ['b']]);
  writes[2]?.done.resolve();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
});

test('beyond its limit it refuses at once, with 503, and takes again when something was written', async () => {
  const { receiver, written } = await withWrites();
  const adding = [receiver.add(received('a', 9 * 1024 * 1024)), receiver.add(received('b', 9 * 1024 * 1024))];
  expect(() => receiver.refuseIfFull('another')).toThrow(expect.objectContaining({ code: 'ServiceUnavailable' }));
  for (const { done } of await written(1)) done.resolve();
  await Promise.all(adding);
  await setImmediate();
  expect(() => receiver.refuseIfFull('another')).not.toThrow();
});

/** Sizes, in bytes, of what each group was written with. */
async function groupsOf(sizes: number[]): Promise<number[][]> {
  const { receiver, written } = await withWrites();
  const adding = Promise.all(sizes.map((bytes, at) => receiver.add(received(String(at), bytes))));
  const groups: number[][] = [];
  for (let count = 1; groups.flat().length < sizes.length; count += 1) {
    const write = (await written(count)).at(-1);
    groups.push(write?.apps.map((name) => sizes[Number(name)] ?? 0) ?? []);
    write?.done.resolve();
  }
  await adding;
  return groups;
}

test('one group is 500 requests at most', async () => {
  expect((await groupsOf(Array(1001).fill(10))).map(({ length }) => length)).toEqual([500, 500, 1]);
});

test('one group is 32 MiB at most, or one request that is larger', async () => {
  // Each request takes a little more than its batch.
  const half = 16 * 1024 * 1024 - 1000;
  expect(await groupsOf([half, half, half + 1, half])).toEqual([[half, half], [half + 1], [half]]);
  expect(await groupsOf([5 * half, 10])).toEqual([[5 * half], [10]]);
});

test('20,000 requests wait at most, however small they are', async () => {
  const { receiver } = await withWrites(64);
  for (let n = 0; n < 19_999; n += 1) void receiver.add(received('a', 0));
  expect(() => receiver.refuseIfFull('another')).not.toThrow();
  void receiver.add(received('a', 0));
  expect(() => receiver.refuseIfFull('another')).toThrow(expect.objectContaining({ code: 'ServiceUnavailable' }));
});

test('so many MiB wait as the setting says, and a request counts a little more than what is kept of it', async () => {
  const MiB = 1024 * 1024;
  const almost = await withWrites();
  void almost.receiver.add(received('a', 16 * MiB - 1001));
  expect(() => almost.receiver.refuseIfFull('another')).not.toThrow();
  const full = await withWrites();
  void full.receiver.add(received('a', 16 * MiB - 1000));
  expect(() => full.receiver.refuseIfFull('another')).toThrow('send it again later');
});

test('an app that floods the server is refused while there is still room for others', async () => {
  const { receiver, written } = await withWrites();
  const flood = receiver.add(received('a', 12 * 1024 * 1024));
  expect(() => receiver.refuseIfFull('a')).toThrow('send it again later');
  expect(() => receiver.refuseIfFull('b')).not.toThrow();
  for (const { done } of await written(1)) done.resolve();
  await flood;
  await setImmediate();
  expect(() => receiver.refuseIfFull('a')).not.toThrow();
  const many = await withWrites();
  for (let n = 0; n < 15_000; n += 1) void many.receiver.add(received('a', 0));
  expect(() => many.receiver.refuseIfFull('a')).toThrow('send it again later');
  expect(() => many.receiver.refuseIfFull('b')).not.toThrow();
});
