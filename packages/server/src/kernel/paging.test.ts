import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign, soundSign } from '../../../../tools/hostile-text.ts';
import { Failure } from './errors.ts';
import { decodeCursor, type ListInput, type Listing, MAX_TOTAL, readList, readPage } from './paging.ts';

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

const sorts = { name: 'name', at: 'time', size: 'rank' } as const;
const thing = (n: number, total: number | null = 3) => ({ sort_key: `key ${n}`, sort_id: `id ${n}`, total });

/** Asks for a page of a list, and gives what the store was asked for, and the page. */
async function ask(input: ListInput<keyof typeof sorts>, rows = [thing(1), thing(2), thing(3)]) {
  let asked: Listing<keyof typeof sorts> | undefined;
  const page = await readList(
    input,
    sorts,
    async (listing) => {
      asked = listing;
      return rows;
    },
    ({ sort_id }) => sort_id,
  );
  return { asked, page };
}

test('a list that is asked for nothing is sorted by the first of its sorts, fifty at a time', async () => {
  expect((await ask({})).asked).toEqual({ limit: 50, words: [], sort: 'name', order: 'asc', after: undefined });
});

test.each([
  [{ sort: 'name' }, 'asc'],
  [{ sort: 'at' }, 'desc'],
  [{ sort: 'size' }, 'asc'],
  [{ sort: 'at', order: 'asc' }, 'asc'],
  [{ order: 'desc' }, 'desc'],
] as const)('names go from a to z, times from the newest, unless told otherwise: %j', async (input, order) => {
  expect((await ask(input)).asked?.order).toBe(order);
});

test('the words of a search reach the store', async () => {
  expect((await ask({ search: ' Ada  ' })).asked?.words).toEqual(['ada']);
});

test('the first page counts, the next goes on after it and does not', async () => {
  const first = (await ask({ limit: 2 })).page;
  expect(first).toMatchObject({ values: ['id 1', 'id 2'], total: 3 });
  const { asked, page } = await ask({ limit: 2, cursor: first.nextCursor }, [thing(3)]);
  expect(asked?.after).toEqual({ key: 'key 2', id: 'id 2' });
  expect(page).toEqual({ values: ['id 3'], nextCursor: undefined });
});

test.each([
  [[], 0],
  [[thing(1, 1)], 1],
  [[thing(1, null)], undefined],
  [[thing(1, MAX_TOTAL)], MAX_TOTAL],
  [[thing(1, MAX_TOTAL + 1)], undefined],
])('a list that nobody counts, or of too many, has no total: %#', async (rows, total) => {
  expect((await ask({}, rows)).page.total).toBe(total);
});

test('a cursor of another order, or with a key that its column cannot have, is refused', async () => {
  const { nextCursor: cursor } = (await ask({ limit: 2 })).page;
  await expect(ask({ cursor, order: 'desc' })).rejects.toThrow('another order than name desc');
  await expect(ask({ cursor, sort: 'at' })).rejects.toThrow('another order than at desc');
  await expect(ask({ cursor: cursorOf(['name asc', 7, 'id']) })).rejects.toThrow('cursor is not one');
  for (const sort of ['at', 'size'] as const) {
    const order = sort === 'at' ? 'desc' : 'asc';
    await expect(ask({ sort, cursor: cursorOf([`${sort} ${order}`, 'x', 'id']) })).rejects.toThrow('cursor is not one');
    expect((await ask({ sort, cursor: cursorOf([`${sort} ${order}`, 7, 'id']) })).asked?.after).toEqual({
      key: 7,
      id: 'id',
    });
  }
});
