import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { oncePerTick } from './once-per-tick.ts';

/** A read that ends when the test ends it. */
function openRead() {
  const reads: PromiseWithResolvers<string>[] = [];
  const readOnce = oncePerTick(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  });
  return { reads, readOnce };
}

test('calls in one tick share a read that starts after the last of them', async () => {
  const { reads, readOnce } = openRead();
  const results = [readOnce(), readOnce()];
  expect(reads).toHaveLength(0);
  await setImmediate();
  expect(reads).toHaveLength(1);
  reads[0]?.resolve('now');
  expect(await Promise.all(results)).toEqual(['now', 'now']);
});

test('a call during a running read gets a later read, as the first may miss a change', async () => {
  const { reads, readOnce } = openRead();
  const first = readOnce();
  await setImmediate();
  const second = readOnce();
  await setImmediate();
  expect(reads).toHaveLength(2);
  reads[1]?.resolve('after');
  reads[0]?.resolve('before');
  expect([await first, await second]).toEqual(['before', 'after']);
});

test('a failed read rejects its callers, but no later ones', async () => {
  const { reads, readOnce } = openRead();
  const first = readOnce();
  await setImmediate();
  reads[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = readOnce();
  await setImmediate();
  reads[1]?.resolve('back');
  expect(await second).toBe('back');
});
