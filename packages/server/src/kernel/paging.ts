import { MAX_TOTAL, type SortOrder } from '@mooring/contract';
import { badRequest } from './errors.ts';
import { searchWords } from './search-key.ts';

export { MAX_TOTAL };

export interface Page<T> {
  values: T[];
  nextCursor: string | undefined;
  /** How many there are on all pages, where that was counted. */
  total?: number | undefined;
}

/** Where a page ended: the sort key and the unique tie-break of its last row. */
export type Position = readonly (string | number)[];

type PartType = 'string' | 'number' | 'either';

const encode = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

const isNumber = (part: unknown): boolean => Number.isSafeInteger(part);
const isText = (part: unknown): boolean => typeof part === 'string' && !part.includes('\0');
const fitsType = { string: isText, number: isNumber, either: (part: unknown) => isText(part) || isNumber(part) };

const brokenCursor = () =>
  badRequest('cursor is not one that this server gave out; leave it away to start from the first page.');

/** The position in a cursor that we made, with one value of the given type for each part; anything else is a 400. */
export function decodeCursor(cursor: string, types: readonly PartType[]): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const fits =
      Array.isArray(position) &&
      position.length === types.length &&
      types.every((type, index) => fitsType[type](position[index]));
    if (fits) return position as Position;
  } catch {
    // falls through to the one answer for every broken cursor
  }
  throw brokenCursor();
}

/** A page of rows, of which one more was read than it holds, if there is one. */
function pageOf<R, T>(rows: R[], limit: number, position: (row: R) => Position, map: (row: R) => T): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { values: shown.map(map), nextCursor: rows.length > limit && last ? encode(position(last)) : undefined };
}

/** A page of what is read: a row more than it holds says that another one follows. */
export const readPage = async <R, T>(
  limit: number,
  read: (rows: number) => Promise<R[]>,
  position: (row: R) => Position,
  map: (row: R) => T,
): Promise<Page<T>> => pageOf(await read(limit + 1), limit, position, map);

/** What somebody asks of a list that can be searched and sorted. */
export interface ListInput<S extends string> {
  limit?: number | undefined;
  cursor?: string | undefined;
  search?: string | undefined;
  sort?: S | undefined;
  order?: SortOrder | undefined;
}

/** By what a list can be sorted: names go from a to z, times from the newest, unless the other way is asked for. */
export type Sorts<S extends string> = Readonly<Record<S, 'name' | 'rank' | 'time'>>;

/** The same once it was read: what a store needs for one page. */
export interface Listing<S extends string = string> {
  limit: number;
  words: string[];
  sort: S;
  order: SortOrder;
  after: { key: string | number; id: string } | undefined;
}

/** How a list that is answered whole is asked for, and the same once it was read. */
export type UnpagedListInput<S extends string> = Pick<ListInput<S>, 'search' | 'sort' | 'order'>;
export type Arrangement<S extends string = string> = Pick<Listing<S>, 'words' | 'sort' | 'order'>;

export const readArrangement = <S extends string>(input: UnpagedListInput<S>, sorts: Sorts<S>): Arrangement<S> =>
  readListing(input, sorts);

function readListing<S extends string>(
  { limit = 50, cursor, search, ...wanted }: ListInput<S>,
  sorts: Sorts<S>,
): Listing<S> {
  const sort = wanted.sort ?? (Object.keys(sorts)[0] as S);
  const order = wanted.order ?? (sorts[sort] === 'time' ? 'desc' : 'asc');
  const words = searchWords(search);
  if (!cursor) return { limit, words, sort, order, after: undefined };
  const [by, key = '', id] = decodeCursor(cursor, ['string', 'either', 'string']);
  if (by !== `${sort} ${order}`) {
    throw badRequest(`cursor belongs to a list in another order than ${sort} ${order}; leave it away to start anew.`);
  }
  if (!fitsType[sorts[sort] === 'name' ? 'string' : 'number'](key)) throw brokenCursor();
  return { limit, words, sort, order, after: { key, id: String(id) } };
}

/** What `selectPage` adds to the columns of a row. */
export interface Listed {
  sort_key: string | number;
  sort_id: string;
  total: number | null;
}

/** A page of a list that can be searched and sorted; `read` reads its rows, and one more, by `selectPage`. */
export async function readList<S extends string, R extends Listed, T>(
  input: ListInput<S>,
  sorts: Sorts<S>,
  read: (listing: Listing<S>) => Promise<R[]>,
  map: (row: R) => T,
): Promise<Page<T>> {
  const listing = readListing(input, sorts);
  const { limit, sort, order, after } = listing;
  const rows = await read(listing);
  const page = pageOf(rows, limit, (row) => [`${sort} ${order}`, row.sort_key, row.sort_id], map);
  const total = rows[0] ? rows[0].total : 0;
  return after || total === null || total > MAX_TOTAL ? page : { ...page, total };
}
