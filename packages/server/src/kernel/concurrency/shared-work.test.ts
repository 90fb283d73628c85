import { expect, test } from 'vitest';
import { createSharedWork } from './shared-work.ts';

/** Work that ends when the test ends it, and counts its starts. */
function observe(maxEntries = 10) {
  const share = createSharedWork<string>({ maxEntries, isFinal: (error) => (error as Error).message === 'unreadable' });
  const starts: { key: string; end: PromiseWithResolvers<string>; signal: AbortSignal }[] = [];
  const run = (key: string, signal?: AbortSignal) =>
    share(key, signal, (signal) => {
      const end = Promise.withResolvers<string>();
      starts.push({ key, end, signal });
      return end.promise;
    });
  return { run, starts };
}

test('does the work for a key once, and keeps the result', async () => {
  const { run, starts } = observe();
  const all = [run('a'), run('a'), run('b')];
  expect(starts.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { key, end } of starts) end.resolve(`read ${key}`);
  expect(await Promise.all([...all, run('a')])).toEqual(['read a', 'read a', 'read b', 'read a']);
  expect(starts).toHaveLength(2);
});

test('keeps failures that would repeat, and tries again after others', async () => {
  const { run, starts } = observe();
  const first = run('a');
  starts[0]?.end.reject(new Error('unreadable'));
  await expect(first).rejects.toThrow('unreadable');
  await expect(run('a')).rejects.toThrow('unreadable');
  const other = run('b');
  starts[1]?.end.reject(new Error('disk'));
  await expect(other).rejects.toThrow('disk');
  void run('b');
  expect(starts.map(({ key }) => key)).toEqual(['a', 'b', 'b']);
});

test('stops the work when the last caller cancels', async () => {
  const { run, starts } = observe();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = [run('a', one.signal), run('a', other.signal)];
  one.abort();
  await expect(results[0]).rejects.toThrow('Canceled');
  expect(starts[0]?.signal.aborted).toBe(false);
  other.abort();
  await expect(results[1]).rejects.toThrow('Canceled');
  expect(starts[0]?.signal.aborted).toBe(true);
  void run('a');
  expect(starts).toHaveLength(2);
});

test('drops the oldest result, but no running work', async () => {
  const { run, starts } = observe(2);
  void run('runs');
  for (const [at, key] of ['a', 'b'].entries()) {
    const result = run(key);
    starts[at + 1]?.end.resolve(key);
    await result;
  }
  void run('runs');
  void run('b');
  expect(starts).toHaveLength(3);
  void run('a');
  expect(starts).toHaveLength(4);
});
