import { expect, test } from 'vitest';
import { newGuid } from './new-guid.ts';

test('creates random GUIDs of version 4', () => {
  expect(newGuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(newGuid()).not.toBe(newGuid());
});
