import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign, soundSign } from '../../../../test-support/hostile-text.ts';
import { Failure } from './errors.ts';
import { decodeCursor, type ListInput, type Listing, MAX_TOTAL, readList, readPage } from './paging.ts';

/** Reads rows, starting with the first. */
const readFrom =
  <R>(rows: readonly R[]) =>
  async (count: number): Promise<R[]> =>
    rows.slice(0, count);

interface Row {
  at: number;
  id: string;
}
const getPosition = ({ at, id }: Row) => [at, id];
const encodeCursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function refusal(cursor: string, types: ('string' | 'number')[] = ['number', 'string']): unknown {
  try {
    return decodeCursor(cursor, types);
  } catch (error) {
    return error instanceof Failure ? error.code : error;
  }
}

test('a cursor returns to the position after the last row of a page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.string({ minLength: 1, unit: soundSign }), async (at, id) => {
      fc.pre(!id.includes('\0'));
      const rows = [
        { at, id },
        { at: 0, id: 'extra' },
      ];
      const { nextCursor } = await readPage(1, readFrom(rows), getPosition, (row) => row);
      expect(nextCursor).toMatch(/^[\w-]+$/);
      expect(decodeCursor(nextCursor ?? '', ['number', 'string'])).toEqual([at, id]);
    }),
  );
});

test('does not return the row beyond the limit', async () => {
  const rows = [1, 2, 3].map((at) => ({ at, id: `row ${at}` }));
  const page = await readPage(2, readFrom(rows), getPosition, ({ id }) => id);
  expect(page.values).toEqual(['row 1', 'row 2']);
  expect(decodeCursor(page.nextCursor ?? '', ['number', 'string'])).toEqual([2, 'row 2']);
});

test('the last page and an empty page have no cursor', async () => {
  const rows = [{ at: 1, id: 'a' }];
  const read = (source: Row[]) => readPage(1, readFrom(source), getPosition, ({ id }) => id);
  expect(await read(rows)).toEqual({ values: ['a'], nextCursor: undefined });
  expect(await read([])).toEqual({ values: [], nextCursor: undefined });
});

test('following the cursors returns every row once, for any limit', async () => {
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
  ['no list', encodeCursor({ at: 1, id: 'a' })],
  ['null', encodeCursor(null)],
  ['too few parts', encodeCursor([1])],
  ['too many parts', encodeCursor([1, 'a', 'b'])],
  ['parts of another type', encodeCursor(['1', 'a'])],
  ['parts that are lists', encodeCursor([[1], ['a']])],
  ['a NUL character, which PostgreSQL takes in no text', encodeCursor([1, 'a\0'])],
  ['a broken number, which no column holds', encodeCursor([1.5, 'a'])],
  ['a number beyond all columns', Buffer.from('[1e999,"a"]').toString('base64url')],
])('refuses a cursor with %s', (_, cursor) => {
  expect(refusal(cursor)).toBe('BadRequest');
});

test('reads any text as a position or refuses it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anySign }), (cursor) => {
      const answer = refusal(cursor);
      if (!Array.isArray(answer)) expect(answer).toBe('BadRequest');
    }),
  );
});

const sorts = { name: 'name', at: 'time', size: 'rank' } as const;
const thing = (n: number, total: number | null = 3) => ({ sort_key: `key ${n}`, sort_id: `id ${n}`, total });

/** Requests a page. Returns the listing that the store received, and the page. */
async function readRows(input: ListInput<keyof typeof sorts>, rows = [thing(1), thing(2), thing(3)]) {
  let requestedListing: Listing<keyof typeof sorts> | undefined;
  const page = await readList(
    input,
    sorts,
    async (listing) => {
      requestedListing = listing;
      return rows;
    },
    ({ sort_id }) => sort_id,
  );
  return { requestedListing, page };
}

test('sorts by the first sort key with fifty rows by default', async () => {
  expect((await readRows({})).requestedListing).toEqual({
    limit: 50,
    terms: [],
    sort: 'name',
    order: 'asc',
    after: undefined,
  });
});

test.each([
  [{ sort: 'name' }, 'asc'],
  [{ sort: 'at' }, 'desc'],
  [{ sort: 'size' }, 'asc'],
  [{ sort: 'at', order: 'asc' }, 'asc'],
  [{ order: 'desc' }, 'desc'],
] as const)('sorts names from A to Z and times newest first by default: %j', async (input, order) => {
  expect((await readRows(input)).requestedListing?.order).toBe(order);
});

test('passes search terms to the store', async () => {
  expect((await readRows({ search: ' Ada  ' })).requestedListing?.terms).toEqual(['ada']);
});

test('counts on the first page only, and continues on the next', async () => {
  const first = (await readRows({ limit: 2 })).page;
  expect(first).toMatchObject({ values: ['id 1', 'id 2'], total: 3 });
  const { requestedListing, page } = await readRows({ limit: 2, cursor: first.nextCursor }, [thing(3)]);
  expect(requestedListing?.after).toEqual({ key: 'key 2', id: 'id 2' });
  expect(page).toEqual({ values: ['id 3'], nextCursor: undefined });
});

test.each([
  [[], 0],
  [[thing(1, 1)], 1],
  [[thing(1, null)], undefined],
  [[thing(1, MAX_TOTAL)], MAX_TOTAL],
  [[thing(1, MAX_TOTAL + 1)], undefined],
])('omits the total of a list that is not counted or too long: %#', async (rows, total) => {
  expect((await readRows({}, rows)).page.total).toBe(total);
});

test('refuses a cursor of another order, or with a key of the wrong type', async () => {
  const { nextCursor: cursor } = (await readRows({ limit: 2 })).page;
  await expect(readRows({ cursor, order: 'desc' })).rejects.toThrow('a different order, not name desc');
  await expect(readRows({ cursor, sort: 'at' })).rejects.toThrow('a different order, not at desc');
  await expect(readRows({ cursor: encodeCursor(['name asc', 7, 'id']) })).rejects.toThrow('Invalid cursor');
  for (const sort of ['at', 'size'] as const) {
    const order = sort === 'at' ? 'desc' : 'asc';
    await expect(readRows({ sort, cursor: encodeCursor([`${sort} ${order}`, 'x', 'id']) })).rejects.toThrow(
      'Invalid cursor',
    );
    expect(
      (await readRows({ sort, cursor: encodeCursor([`${sort} ${order}`, 7, 'id']) })).requestedListing?.after,
    ).toEqual({
      key: 7,
      id: 'id',
    });
  }
});
