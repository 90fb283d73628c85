import { expect, test } from 'vitest';
import { tooLarge, withType } from './event-file.ts';

test.each([
  ['events.json', 'application/json'],
  ['events.txt', 'application/json'],
  ['events.ndjson', 'application/x-ndjson'],
  ['EVENTS.JSONL', 'application/x-ndjson'],
])("sends %s as %s, regardless of the browser's type", (name, type) => {
  expect(withType(new File(['[]'], name, { type: 'text/plain' })).type).toBe(type);
});

test("rejects a file over the server's size limit", () => {
  expect(tooLarge({ size: 104_857_600 })).toBeUndefined();
  expect(tooLarge({ size: 104_857_600 + 2 ** 20 })).toMatch(/101.*100/);
});
