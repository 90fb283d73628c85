import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { oncePerTick } from './once-per-tick.ts';

/** A read that ends when the test says so. */
function openRead() {
  const reads: PromiseWithResolvers<string>[] = [];
  const ask = oncePerTick(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  });
  return { reads, ask };
}

test('those who ask in one tick share a read, which is sent after the last of them asked', async () => {
  const { reads, ask } = openRead();
  const answers = [ask(), ask()];
  expect(reads).toHaveLength(0);
  await setImmediate();
  expect(reads).toHaveLength(1);
  reads[0]?.resolve('now');
  expect(await Promise.all(answers)).toEqual(['now', 'now']);
});

test('whoever asks while a read is under way gets a later one: the first may not know what has changed since', async () => {
  const { reads, ask } = openRead();
  const first = ask();
  await setImmediate();
  const second = ask();
  await setImmediate();
  expect(reads).toHaveLength(2);
  reads[1]?.resolve('after');
  reads[0]?.resolve('before');
  expect([await first, await second]).toEqual(['before', 'after']);
});

test('a read that fails fails those who shared it, and nobody after them', async () => {
  const { reads, ask } = openRead();
  const first = ask();
  await setImmediate();
  reads[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = ask();
  await setImmediate();
  reads[1]?.resolve('back');
  expect(await second).toBe('back');
});
