import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign, soundSign } from '../../../../tools/hostile-text.ts';
import { Failure } from './errors.ts';
import { decodeCursor, readPage } from './paging.ts';

/** Whatever is asked for, from the first on. */
const readFrom =
  <R>(rows: readonly R[]) =>
  async (count: number): Promise<R[]> =>
    rows.slice(0, count);

interface Row {
  at: number;
  id: string;
}
const positionOf = ({ at, id }: Row) => [at, id];
const cursorOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function refusal(cursor: string, types: ('string' | 'number')[] = ['number', 'string']): unknown {
  try {
    return decodeCursor(cursor, types);
  } catch (error) {
    return error instanceof Failure ? error.code : error;
  }
}

test('a cursor leads back to the position of the last row shown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.string({ minLength: 1, unit: soundSign }), async (at, id) => {
      fc.pre(!id.includes('\0'));
      const rows = [
        { at, id },
        { at: 0, id: 'extra' },
      ];
      const { nextCursor } = await readPage(1, readFrom(rows), positionOf, (row) => row);
      expect(nextCursor).toMatch(/^[\w-]+$/);
      expect(decodeCursor(nextCursor ?? '', ['number', 'string'])).toEqual([at, id]);
    }),
  );
});

test('the row beyond the limit is not shown and only says that there is more', async () => {
  const rows = [1, 2, 3].map((at) => ({ at, id: `row ${at}` }));
  const page = await readPage(2, readFrom(rows), positionOf, ({ id }) => id);
  expect(page.values).toEqual(['row 1', 'row 2']);
  expect(decodeCursor(page.nextCursor ?? '', ['number', 'string'])).toEqual([2, 'row 2']);
});

test('the last page has no cursor, nor has an empty one', async () => {
  const rows = [{ at: 1, id: 'a' }];
  const read = (given: Row[]) => readPage(1, readFrom(given), positionOf, ({ id }) => id);
  expect(await read(rows)).toEqual({ values: ['a'], nextCursor: undefined });
  expect(await read([])).toEqual({ values: [], nextCursor: undefined });
});

test('following the cursors shows every row once, whatever the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(1000)), fc.integer({ min: 1, max: 7 }), async (numbers, limit) => {
      const all = numbers.sort((a, b) => a - b);
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const [after] = cursor ? decodeCursor(cursor, ['number']) : [-1];
        const rest = all.filter((at) => at > Number(after)).map((at) => ({ at, id: 'row' }));
        const page = await readPage(
          limit,
          readFrom(rest),
          ({ at }) => [at],
          ({ at }) => at,
        );
        seen.push(...page.values);
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(all);
    }),
  );
});

test.each([
  ['nothing', ''],
  ['no base64', '%%%'],
  ['no JSON', Buffer.from('hello').toString('base64url')],
  ['no list', cursorOf({ at: 1, id: 'a' })],
  ['null', cursorOf(null)],
  ['too few parts', cursorOf([1])],
  ['too many parts', cursorOf([1, 'a', 'b'])],
  ['parts of another type', cursorOf(['1', 'a'])],
  ['parts that are lists', cursorOf([[1], ['a']])],
  ['a NUL character, which PostgreSQL takes in no text', cursorOf([1, 'a\0'])],
  ['a broken number, which no column holds', cursorOf([1.5, 'a'])],
  ['a number beyond all columns', Buffer.from('[1e999,"a"]').toString('base64url')],
])('a cursor with %s is refused as a bad request', (_, cursor) => {
  expect(refusal(cursor)).toBe('BadRequest');
});

test('no text at all makes anything but a position or a bad request', () => {
  fc.assert(
    fc.property(fc.string({ unit: anySign }), (cursor) => {
      const answer = refusal(cursor);
      if (!Array.isArray(answer)) expect(answer).toBe('BadRequest');
    }),
  );
});
