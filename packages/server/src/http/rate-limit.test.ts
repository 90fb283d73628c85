import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');

function limitOf(perMinute: number, start = noon) {
  let time = start;
  const count = createRateLimit(perMinute, { now: () => time });
  return {
    count,
    at: (moment: number) => {
      time = moment;
    },
  };
}

test('the allowance shrinks with each request and is exceeded after the last', () => {
  const { count } = limitOf(2);
  expect(count('a')).toEqual({ limit: 2, remaining: 1, reset: 60, exceeded: false });
  expect(count('a')).toEqual({ limit: 2, remaining: 0, reset: 60, exceeded: false });
  expect(count('a')).toEqual({ limit: 2, remaining: 0, reset: 60, exceeded: true });
});

test('each key has an allowance of its own', () => {
  const { count } = limitOf(1);
  count('a');
  expect(count('a')?.exceeded).toBe(true);
  expect(count('b')).toMatchObject({ remaining: 0, exceeded: false });
});

test('the next minute starts anew', () => {
  const { count, at } = limitOf(1);
  count('a');
  at(noon + 59_999);
  expect(count('a')).toMatchObject({ exceeded: true, reset: 1 });
  at(noon + 60_000);
  expect(count('a')).toMatchObject({ exceeded: false, reset: 60 });
});

test('the wait is told in whole seconds, never too short', () => {
  const { count, at } = limitOf(5);
  at(noon + 30_001);
  expect(count('a')?.reset).toBe(30);
});

test('a limit of 0 is none', () => {
  const { count } = limitOf(0);
  for (let request = 0; request < 10; request += 1) expect(count('a')).toBeUndefined();
});
