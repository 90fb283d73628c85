import { expect, test } from 'vitest';
import { getDelivery, toValue } from './email-choices.ts';

test('shows what the default means', () => {
  expect(getDelivery({ value: 'Default', default_value: 'Individual' })).toEqual({ isImmediate: true, isDaily: false });
  expect(getDelivery({ value: 'Default' })).toEqual({ isImmediate: false, isDaily: false });
});

test.each(['Disabled', 'Individual', 'Daily', 'DailyAndIndividual'] as const)('keeps the value %s', (value) => {
  expect(toValue(getDelivery({ value, default_value: 'Individual' }))).toBe(value);
});
