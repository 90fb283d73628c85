import { expect, test } from 'vitest';
import { createFairPool, type FairPool, type FairPoolRun } from './fair-pool.ts';

/** Runs named work that ends when the test ends it, and records the order of starts. */
function observe(pool: FairPool) {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    add(owner: string, name: string, run?: FairPoolRun): Promise<string> {
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      const result = pool(
        owner,
        () => {
          started.push(name);
          return end.promise;
        },
        run,
      );
      result.catch(() => undefined);
      return result;
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.resolve(name);
      await turn();
    },
    async fail(name: string): Promise<void> {
      ends.get(name)?.reject(new Error(name));
      await turn();
    },
  };
}

test('starts the work of a new owner before the queued work of another one', async () => {
  const { started, add, end } = observe(createFairPool({ slots: 2, slotsPerOwner: 2 }));
  for (let n = 0; n < 100; n += 1) void add('hostile', `h${n}`);
  void add('honest', 'one');
  void add('honest', 'two');
  expect(started).toEqual(['h0', 'h1']);
  await end('h0');
  await end('h1');
  await end('h2');
  await end('h3');
  expect(started).toEqual(['h0', 'h1', 'h2', 'one', 'h3', 'two']);
});

test('keeps a slot free for other owners', async () => {
  const { started, add } = observe(createFairPool({ slots: 3 }));
  for (let n = 0; n < 100; n += 1) void add('hostile', `h${n}`);
  void add('honest', 'one');
  expect(started).toEqual(['h0', 'h1', 'one']);
});

test('uses its only slot for one owner after the other', async () => {
  const { started, add, end, fail } = observe(createFairPool({ slots: 1 }));
  void add('a', 'a0');
  void add('a', 'a1');
  void add('a', 'a2');
  void add('b', 'b0');
  await fail('a0');
  await end('a1');
  await end('b0');
  expect(started).toEqual(['a0', 'a1', 'b0', 'a2']);
});

test('keeps the order of one owner', async () => {
  const { started, add, end } = observe(createFairPool({ slots: 2 }));
  for (const name of ['a0', 'a1', 'a2']) void add('a', name);
  await end('a0');
  void add('a', 'a3');
  await end('a1');
  await end('a2');
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3']);
});

test('refuses an owner whose queue is full, and no other owner', async () => {
  const pool = createFairPool({ slots: 2, queue: { maxPerOwner: 2, full: () => new Error('full') } });
  const { add } = observe(pool);
  const all = [0, 1, 2, 3].map((n) => add('hostile', `h${n}`));
  await expect(all[3]).rejects.toThrow('full');
  expect(await pool('honest', async () => 'done')).toBe('done');
});

test('drops queued work when its signal aborts', async () => {
  const { started, add, end } = observe(createFairPool({ slots: 1 }));
  const request = new AbortController();
  void add('a', 'a0');
  const canceled = add('a', 'a1', { signal: request.signal });
  void add('a', 'a2');
  request.abort();
  await expect(canceled).rejects.toThrow('Canceled');
  await expect(add('b', 'b0', { signal: request.signal })).rejects.toThrow('Canceled');
  await end('a0');
  expect(started).toEqual(['a0', 'a2']);
});
