import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundSign } from '../../../../../../test-support/hostile-text.ts';
import { eventsInJson, eventsOnLines, type FilePart } from './event-file.ts';

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(
  text: string | Buffer,
  { by = eventsInJson, chunk = 3, maxBytes = 10_000 } = {},
): Promise<FilePart[]> {
  const parts: FilePart[] = [];
  for await (const part of by(inChunks(Buffer.from(text), chunk), maxBytes)) parts.push(part);
  return parts;
}

const values = (parts: FilePart[]) => parts.map(({ bytes, problem }) => (bytes ? JSON.parse(String(bytes)) : problem));

const events = fc.array(
  fc.dictionary(fc.string({ unit: soundSign, maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  {
    maxLength: 6,
  },
);
// An object with a list called "value" is a page.
const noPage = (all: Record<string, unknown>[]) => all.every(({ value }) => !Array.isArray(value));

test('finds the events of a page, an array or lines, independent of chunk boundaries', async () => {
  const space = fc.constantFrom(undefined, 1, '\t');
  await fc.assert(
    fc.asyncProperty(events, space, fc.integer({ min: 1, max: 40 }), async (all, indent, chunk) => {
      const copy = JSON.parse(JSON.stringify(all));
      const page = { nextLink: 'x]}"[\\', value: all, count: { value: [1] } };
      expect(values(await split(JSON.stringify(page, null, indent), { chunk }))).toEqual(copy);
      expect(values(await split(JSON.stringify(all, null, indent), { chunk }))).toEqual(copy);
      const lines = all.map((event) => JSON.stringify(event)).join('\n');
      expect(values(await split(lines, { chunk, by: eventsOnLines }))).toEqual(copy);
      if (noPage(all)) expect(values(await split(lines, { chunk }))).toEqual(copy);
    }),
  );
});

test('accepts several pages, a byte order mark, and a file without events', async () => {
  expect(values(await split('\ufeff{"value":[{"a":1}]}\n{"value":[{"a":2}]}'))).toEqual([{ a: 1 }, { a: 2 }]);
  for (const none of ['', ' \n', '[]', '{"value":[ ]}']) expect(await split(none)).toEqual([]);
});

test('skips an event that is too large and reads the next one', async () => {
  const large = JSON.stringify({ a: 'x'.repeat(100) });
  const tooLarge = expect.stringContaining('50 bytes');
  expect(values(await split(`[${large},{"b":1}]`, { maxBytes: 50 }))).toEqual([tooLarge, { b: 1 }]);
  expect(values(await split(`${large}\n{"b":1}`, { maxBytes: 50 }))).toEqual([tooLarge, { b: 1 }]);
  expect(values(await split(`${large}\n{"b":1}`, { maxBytes: 50, by: eventsOnLines }))).toEqual([tooLarge, { b: 1 }]);
});

test('reports an incomplete file, or one with other content, after its events', async () => {
  const cut = await split('{"value":[{"a":1},{"b":"');
  expect(values(cut)).toEqual([{ a: 1 }, 'The file is incomplete: it ends before its JSON does.']);
  expect(cut.at(-1)?.isLast).toBe(true);
  const other = await split('[{"a":1}] or so');
  expect([values(other), other.at(-1)?.isLast]).toEqual([
    [{ a: 1 }, 'The file stops being valid JSON at byte 10. Nothing after that was read.'],
    true,
  ]);
});

test('terminates on any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await split(Buffer.from(bytes));
      await split(Buffer.from(bytes), { by: eventsOnLines });
    }),
  );
  const signs = fc.array(fc.constantFrom(...'[]{},:"\\ a'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(signs, async (text) => {
      const parts = await split(text.join(''));
      expect(parts.findIndex(({ isLast }) => isLast)).toBeOneOf([-1, parts.length - 1]);
    }),
  );
});
