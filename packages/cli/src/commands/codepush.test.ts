import { expect, it } from 'vitest';
import { readRollout } from './codepush.ts';

it('reads a rollout of 1 to 100 per cent, or none', () => {
  expect([readRollout(undefined), readRollout('1'), readRollout('100')]).toEqual([undefined, 1, 100]);
});

it.each(['0', '101', '12.5', 'all', '', '-5'])('refuses a rollout of "%s"', (text) => {
  expect(() => readRollout(text)).toThrow('a whole number from 1 to 100');
});
