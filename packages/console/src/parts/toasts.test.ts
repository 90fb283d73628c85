import { afterEach, expect, test, vi } from 'vitest';
import { dismiss, toast, toasts } from './toasts.ts';

afterEach(() => toasts.read().forEach(({ id }) => void dismiss(id)));

const texts = () => toasts.read().map(({ text }) => text);

test('what was done is told to whoever listens, until it is dismissed', () => {
  const told = vi.fn();
  const stop = toasts.subscribe(told);
  toast('Saved');
  expect(texts()).toEqual(['Saved']);
  for (const { id } of toasts.read()) dismiss(id);
  expect(texts()).toEqual([]);
  expect(told).toHaveBeenCalledTimes(2);
  stop();
  toast('Saved again');
  expect(told).toHaveBeenCalledTimes(2);
});

test('of many the last three are shown', () => {
  for (const text of ['one', 'two', 'three', 'four']) toast(text);
  expect(texts()).toEqual(['two', 'three', 'four']);
});
