import { expect, test } from 'vitest';
import { type Allowance, createRateLimit } from './rate-limit.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');

function createLimit(perMinute: number, start = noon) {
  let time = start;
  const count = createRateLimit({ perMinute, clock: { now: () => time } }) as (key: string) => Allowance | undefined;
  return {
    count,
    at: (moment: number) => {
      time = moment;
    },
  };
}

test('the allowance shrinks with each request, and is exceeded after the last', () => {
  const { count } = createLimit(2);
  expect(count('a')).toEqual({ limit: 2, remaining: 1, reset: 60, exceeded: false });
  expect(count('a')).toEqual({ limit: 2, remaining: 0, reset: 60, exceeded: false });
  expect(count('a')).toEqual({ limit: 2, remaining: 0, reset: 60, exceeded: true });
});

test('each key has its own allowance', () => {
  const { count } = createLimit(1);
  count('a');
  expect(count('a')?.exceeded).toBe(true);
  expect(count('b')).toMatchObject({ remaining: 0, exceeded: false });
});

test('the next minute resets the count', () => {
  const { count, at } = createLimit(1);
  count('a');
  at(noon + 59_999);
  expect(count('a')).toMatchObject({ exceeded: true, reset: 1 });
  at(noon + 60_000);
  expect(count('a')).toMatchObject({ exceeded: false, reset: 60 });
});

test('reports the wait in whole seconds, rounded up', () => {
  const { count, at } = createLimit(5);
  at(noon + 30_001);
  expect(count('a')?.reset).toBe(30);
});

test('a limit of 0 means none', () => {
  const { count } = createLimit(0);
  for (let request = 0; request < 10; request += 1) expect(count('a')).toBeUndefined();
});

/** Several processes with one count; each lookup waits until the test releases it, as a database would. */
function processes(perMinute: number, count: number) {
  const totals = new Map<string, number>();
  let takes = 0;
  const take = async (key: string, _window: number, amount: number) => {
    takes += 1;
    await Promise.resolve();
    totals.set(key, (totals.get(key) ?? 0) + amount);
    return totals.get(key) ?? 0;
  };
  const counters = Array.from({ length: count }, () =>
    createRateLimit({ perMinute, clock: { now: () => noon }, take }),
  );
  return { counters, takes: () => takes };
}

test('several processes together admit close to the limit, and no more', async () => {
  for (const [limit, count] of [
    [5, 3],
    [100, 4],
    [3000, 3],
  ] as const) {
    const { counters } = processes(limit, count);
    const results = await Promise.all(Array.from({ length: limit * 2 }, async (_, n) => counters[n % count]?.('a')));
    const passed = results.filter((result) => result && !result.exceeded).length;
    expect(passed).toBeLessThanOrEqual(limit + (limit < 200 ? 0 : (count * limit) / 20));
    expect(passed).toBeGreaterThanOrEqual(limit * 0.8);
  }
});

test('one of several processes can use up the whole limit with few shared lookups', async () => {
  const { counters, takes } = processes(3000, 3);
  let passed = 0;
  for (let n = 0; n < 4000; n++) if (!(await counters[0]?.('a'))?.exceeded) passed += 1;
  expect([passed, takes()]).toEqual([3000, 19]);
});

test('a key with few requests causes no shared lookup', async () => {
  const { counters, takes } = processes(3000, 1);
  for (let n = 0; n < 150; n++) await counters[0]?.('a');
  expect(takes()).toBe(0);
});
