import { expect, test } from 'vitest';
import { tooLarge, withType } from './event-file.ts';

test.each([
  ['events.json', 'application/json'],
  ['events.txt', 'application/json'],
  ['events.ndjson', 'application/x-ndjson'],
  ['EVENTS.JSONL', 'application/x-ndjson'],
])('%s is sent as %s, whatever the browser calls it', (name, type) => {
  expect(withType(new File(['[]'], name, { type: 'text/plain' })).type).toBe(type);
});

test('a file that the server would not take is not sent', () => {
  expect(tooLarge({ size: 104_857_600 })).toBeUndefined();
  expect(tooLarge({ size: 104_857_600 + 2 ** 20 })).toMatch(/101.*100/);
});
