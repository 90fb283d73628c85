import { expect, it } from 'vitest';
import { readRollout } from './codepush.ts';

it('accepts a rollout from 1 to 100, or none', () => {
  expect([readRollout(undefined), readRollout('1'), readRollout('100')]).toEqual([undefined, 1, 100]);
});

it.each(['0', '101', '12.5', 'all', '', '-5'])('rejects the rollout "%s"', (text) => {
  expect(() => readRollout(text)).toThrow('a whole number from 1 to 100');
});
