import { afterEach, expect, test, vi } from 'vitest';
import { dismiss, toast, toasts } from './toasts.ts';

afterEach(() => toasts.read().forEach(({ id }) => void dismiss(id)));

const texts = () => toasts.read().map(({ text }) => text);

test('notifies listeners until a toast is dismissed', () => {
  const listener = vi.fn();
  const stop = toasts.subscribe(listener);
  toast('Saved');
  expect(texts()).toEqual(['Saved']);
  for (const { id } of toasts.read()) dismiss(id);
  expect(texts()).toEqual([]);
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  toast('Saved again');
  expect(listener).toHaveBeenCalledTimes(2);
});

test('shows only the last three toasts', () => {
  for (const text of ['one', 'two', 'three', 'four']) toast(text);
  expect(texts()).toEqual(['two', 'three', 'four']);
});
