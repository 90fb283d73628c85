import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BatchOptions, createBatch } from './batch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function batchWith(options: Partial<BatchOptions> = {}) {
  const written: [string, number][][] = [];
  const errors: unknown[] = [];
  const batch = createBatch({
    everyMs: 1000,
    maxKeys: 100,
    write: async (entries) => {
      written.push(entries);
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { batch, written, errors };
}

test('writes the newest value of each key once', async () => {
  const { batch, written } = batchWith();
  batch.put('a', 1);
  batch.put('b', 2);
  batch.put('a', 3);
  await batch.flush();
  await batch.flush();
  expect(written).toEqual([
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
});

test('writes nothing without values', async () => {
  const { batch, written } = batchWith();
  await batch.flush();
  await vi.advanceTimersByTimeAsync(5000);
  await batch.stop();
  expect(written).toEqual([]);
});

test('writes queued items after a while', async () => {
  const { batch, written } = batchWith();
  batch.put('a', 1);
  await vi.advanceTimersByTimeAsync(999);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual([[['a', 1]]]);
});

test('drops new keys beyond the maximum, and still updates known ones', async () => {
  const { batch, written } = batchWith({ maxKeys: 2 });
  batch.put('a', 1);
  batch.put('b', 1);
  batch.put('c', 1);
  batch.put('a', 2);
  await batch.flush();
  batch.put('c', 3);
  await batch.flush();
  expect(written).toEqual([
    [
      ['a', 2],
      ['b', 1],
    ],
    [['c', 3]],
  ]);
});

test('reports a failed write, and continues with later ones', async () => {
  const written: string[] = [];
  const { batch, errors } = batchWith({
    write: async ([first]) => {
      if (first?.[0] === 'bad') throw new Error('disk full');
      written.push(first?.[0] ?? '');
    },
  });
  batch.put('bad', 1);
  await batch.flush();
  batch.put('good', 1);
  await batch.flush();
  expect(errors).toEqual([new Error('disk full')]);
  expect(written).toEqual(['good']);
});

test('writes one batch at a time, and an empty flush waits for the running one', async () => {
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const { batch } = batchWith({
    write: async ([first]) => {
      events.push(`${first?.[0]} begins`);
      await gate.promise;
      events.push(`${first?.[0]} ends`);
    },
  });
  batch.put('a', 1);
  const first = batch.flush();
  batch.put('b', 1);
  const second = batch.flush();
  const third = batch.flush().then(() => events.push('third flush is done'));
  gate.resolve();
  await Promise.all([first, second, third]);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'third flush is done']);
});

test('writes large batches in parts, and one failed part does not affect the others', async () => {
  const written: number[] = [];
  const { batch, errors } = batchWith({
    maxKeys: 2000,
    write: async (entries) => {
      if (entries.some(([key]) => key === 'key-600')) throw new Error('disk full');
      written.push(entries.length);
    },
  });
  for (let n = 0; n < 1200; n += 1) batch.put(`key-${n}`, n);
  await batch.flush();
  expect([written, errors]).toEqual([[500, 200], [new Error('disk full')]]);
});

test('stopping writes the remaining items and ends the timer', async () => {
  const { batch, written } = batchWith();
  batch.put('a', 1);
  await batch.stop();
  expect(written).toEqual([[['a', 1]]]);
  expect(vi.getTimerCount()).toBe(0);
});
