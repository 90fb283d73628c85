import { expect, test } from 'vitest';
import { createSharedWork } from './shared-work.ts';

/** Work that ends when told to, and counts its starts. */
function observe(maxKept = 10) {
  const share = createSharedWork<string>({ maxKept, isFinal: (error) => (error as Error).message === 'unreadable' });
  const starts: { key: string; end: PromiseWithResolvers<string>; signal: AbortSignal }[] = [];
  const ask = (key: string, signal?: AbortSignal) =>
    share(key, signal, (signal) => {
      const end = Promise.withResolvers<string>();
      starts.push({ key, end, signal });
      return end.promise;
    });
  return { ask, starts };
}

test('does the work for a key once, and keeps the result', async () => {
  const { ask, starts } = observe();
  const all = [ask('a'), ask('a'), ask('b')];
  expect(starts.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { key, end } of starts) end.resolve(`read ${key}`);
  expect(await Promise.all([...all, ask('a')])).toEqual(['read a', 'read a', 'read b', 'read a']);
  expect(starts).toHaveLength(2);
});

test('keeps failures that would repeat, and tries again after others', async () => {
  const { ask, starts } = observe();
  const first = ask('a');
  starts[0]?.end.reject(new Error('unreadable'));
  await expect(first).rejects.toThrow('unreadable');
  await expect(ask('a')).rejects.toThrow('unreadable');
  const other = ask('b');
  starts[1]?.end.reject(new Error('disk'));
  await expect(other).rejects.toThrow('disk');
  void ask('b');
  expect(starts.map(({ key }) => key)).toEqual(['a', 'b', 'b']);
});

test('stops the work when the last caller has gone', async () => {
  const { ask, starts } = observe();
  const [one, other] = [new AbortController(), new AbortController()];
  const answers = [ask('a', one.signal), ask('a', other.signal)];
  one.abort();
  await expect(answers[0]).rejects.toThrow('Canceled');
  expect(starts[0]?.signal.aborted).toBe(false);
  other.abort();
  await expect(answers[1]).rejects.toThrow('Canceled');
  expect(starts[0]?.signal.aborted).toBe(true);
  void ask('a');
  expect(starts).toHaveLength(2);
});

test('drops the oldest result, and no work that runs', async () => {
  const { ask, starts } = observe(2);
  void ask('runs');
  for (const [at, key] of ['a', 'b'].entries()) {
    const result = ask(key);
    starts[at + 1]?.end.resolve(key);
    await result;
  }
  void ask('runs');
  void ask('b');
  expect(starts).toHaveLength(3);
  void ask('a');
  expect(starts).toHaveLength(4);
});
