import { expect, it } from 'vitest';
import { readTypes } from './audiences.ts';
import { readHours } from './explore.ts';

it('reads the types of custom properties', () => {
  expect(readTypes('plan=string,age=number')).toEqual({ plan: 'string', age: 'number' });
  expect(readTypes(undefined)).toEqual({});
  for (const text of ['plan', 'plan=text', '=string']) expect(() => readTypes(text)).toThrow('Invalid --properties');
});

it('converts hours to seconds', () => {
  expect(readHours('24')).toEqual({ within_seconds: 86_400 });
  expect(readHours(undefined)).toEqual({});
  for (const text of ['0', '2161', '1.5', 'x']) expect(() => readHours(text)).toThrow('--within must be');
});
