import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundSign } from '../../../../../../tools/hostile-text.ts';
import { eventsInJson, eventsOnLines, type Piece } from './event-file.ts';

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(
  text: string | Buffer,
  { by = eventsInJson, chunk = 3, maxBytes = 10_000 } = {},
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of by(inChunks(Buffer.from(text), chunk), maxBytes)) pieces.push(piece);
  return pieces;
}

const values = (pieces: Piece[]) => pieces.map(({ bytes, problem }) => (bytes ? JSON.parse(String(bytes)) : problem));

const events = fc.array(
  fc.dictionary(fc.string({ unit: soundSign, maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  {
    maxLength: 6,
  },
);
// An object with a list called "value" is a page.
const noPage = (all: Record<string, unknown>[]) => all.every(({ value }) => !Array.isArray(value));

test('the events of a page, of an array and of lines come out whole, however the file is cut', async () => {
  const space = fc.constantFrom(undefined, 1, '\t');
  await fc.assert(
    fc.asyncProperty(events, space, fc.integer({ min: 1, max: 40 }), async (all, indent, chunk) => {
      const given = JSON.parse(JSON.stringify(all));
      const page = { nextLink: 'x]}"[\\', value: all, count: { value: [1] } };
      expect(values(await split(JSON.stringify(page, null, indent), { chunk }))).toEqual(given);
      expect(values(await split(JSON.stringify(all, null, indent), { chunk }))).toEqual(given);
      const lines = all.map((event) => JSON.stringify(event)).join('\n');
      expect(values(await split(lines, { chunk, by: eventsOnLines }))).toEqual(given);
      if (noPage(all)) expect(values(await split(lines, { chunk }))).toEqual(given);
    }),
  );
});

test('several pages may follow each other, a byte order mark may come first, and there may be no event', async () => {
  expect(values(await split('\ufeff{"value":[{"a":1}]}\n{"value":[{"a":2}]}'))).toEqual([{ a: 1 }, { a: 2 }]);
  for (const none of ['', ' \n', '[]', '{"value":[ ]}']) expect(await split(none)).toEqual([]);
});

test('an event that is too large is passed over, and the next one is read', async () => {
  const large = JSON.stringify({ a: 'x'.repeat(100) });
  const told = expect.stringContaining('50 bytes');
  expect(values(await split(`[${large},{"b":1}]`, { maxBytes: 50 }))).toEqual([told, { b: 1 }]);
  expect(values(await split(`${large}\n{"b":1}`, { maxBytes: 50 }))).toEqual([told, { b: 1 }]);
  expect(values(await split(`${large}\n{"b":1}`, { maxBytes: 50, by: eventsOnLines }))).toEqual([told, { b: 1 }]);
});

test('a file that breaks off, or goes on as something else, says so after the events before it', async () => {
  const cut = await split('{"value":[{"a":1},{"b":"');
  expect(values(cut)).toEqual([{ a: 1 }, 'The file ends in the middle.']);
  expect(cut.at(-1)?.isLast).toBe(true);
  const other = await split('[{"a":1}] or so');
  expect([values(other), other.at(-1)?.isLast]).toEqual([
    [{ a: 1 }, 'The file is no JSON from byte 10 on; nothing after it was read.'],
    true,
  ]);
});

test('whatever the bytes, it ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await split(Buffer.from(bytes));
      await split(Buffer.from(bytes), { by: eventsOnLines });
    }),
  );
  const signs = fc.array(fc.constantFrom(...'[]{},:"\\ a'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(signs, async (text) => {
      const pieces = await split(text.join(''));
      expect(pieces.findIndex(({ isLast }) => isLast)).toBeOneOf([-1, pieces.length - 1]);
    }),
  );
});
