import { MAX_TOTAL, type SortOrder } from '@mooring/contract';
import { badRequest } from './errors.ts';
import { parseJson } from './text/json.ts';
import { parseSearchTerms } from './text/search-key.ts';

export { MAX_TOTAL };

export interface Page<T> {
  values: T[];
  nextCursor: string | undefined;
  /** Number of values on all pages, if counted. */
  total?: number | undefined;
}

/** Position after a page: the sort key and the unique tie-breaker of its last row. */
export type Position = readonly (string | number)[];

type PartType = 'string' | 'number' | 'either';

const encode = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

const isNumber = (part: unknown): boolean => Number.isSafeInteger(part);
const isText = (part: unknown): boolean => typeof part === 'string' && !part.includes('\0');
const fitsType = { string: isText, number: isNumber, either: (part: unknown) => isText(part) || isNumber(part) };

const brokenCursor = () => badRequest('Invalid cursor. Omit it to start from the first page.');

/** Decodes a cursor into one value per type. Anything else is a 400. */
export function decodeCursor(cursor: string, types: readonly PartType[]): Position {
  try {
    const position: unknown = parseJson(Buffer.from(cursor, 'base64url').toString());
    const fits =
      Array.isArray(position) &&
      position.length === types.length &&
      types.every((type, index) => fitsType[type](position[index]));
    if (fits) return position as Position;
  } catch {
    // Every invalid cursor gets the same response below.
  }
  throw brokenCursor();
}

/** Makes a page of the rows. `rows` has one row more than the page if another page follows. */
function toPage<R, T>(rows: R[], limit: number, position: (row: R) => Position, map: (row: R) => T): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { values: shown.map(map), nextCursor: rows.length > limit && last ? encode(position(last)) : undefined };
}

/** Reads a page, and one row more to tell whether another page follows. */
export const readPage = async <R, T>(
  limit: number,
  read: (rows: number) => Promise<R[]>,
  position: (row: R) => Position,
  map: (row: R) => T,
): Promise<Page<T>> => toPage(await read(limit + 1), limit, position, map);

/** Query parameters of a list that can be searched and sorted. */
export interface ListInput<S extends string> {
  limit?: number | undefined;
  cursor?: string | undefined;
  search?: string | undefined;
  sort?: S | undefined;
  order?: SortOrder | undefined;
}

/** Sort keys of a list. Names sort from A to Z and times from the newest by default. */
export type Sorts<S extends string> = Readonly<Record<S, 'name' | 'rank' | 'time'>>;

/** The same, parsed: the input of a store for one page. */
export interface Listing<S extends string = string> {
  limit: number;
  terms: string[];
  sort: S;
  order: SortOrder;
  after: { key: string | number; id: string } | undefined;
}

/** Query parameters of a list without pages, and the same, parsed. */
export type UnpagedListInput<S extends string> = Pick<ListInput<S>, 'search' | 'sort' | 'order'>;
export type Arrangement<S extends string = string> = Pick<Listing<S>, 'terms' | 'sort' | 'order'>;

export const readArrangement = <S extends string>(input: UnpagedListInput<S>, sorts: Sorts<S>): Arrangement<S> =>
  readListing(input, sorts);

function readListing<S extends string>(
  { limit = 50, cursor, search, ...requested }: ListInput<S>,
  sorts: Sorts<S>,
): Listing<S> {
  const sort = requested.sort ?? (Object.keys(sorts)[0] as S);
  const order = requested.order ?? (sorts[sort] === 'time' ? 'desc' : 'asc');
  const terms = parseSearchTerms(search);
  if (!cursor) return { limit, terms, sort, order, after: undefined };
  const [by, key = '', id] = decodeCursor(cursor, ['string', 'either', 'string']);
  if (by !== `${sort} ${order}`) {
    throw badRequest(
      `cursor belongs to a list with a different order, not ${sort} ${order}. Omit it to start from the first page.`,
    );
  }
  if (!fitsType[sorts[sort] === 'name' ? 'string' : 'number'](key)) throw brokenCursor();
  return { limit, terms, sort, order, after: { key, id: String(id) } };
}

/** Columns that `selectPage` adds to a row. */
export interface Listed {
  sort_key: string | number;
  sort_id: string;
  total: number | null;
}

/** Reads a page of a list that can be searched and sorted. `read` uses `selectPage`, which reads one row more. */
export async function readList<S extends string, R extends Listed, T>(
  input: ListInput<S>,
  sorts: Sorts<S>,
  read: (listing: Listing<S>) => Promise<R[]>,
  map: (row: R) => T,
): Promise<Page<T>> {
  const listing = readListing(input, sorts);
  const { limit, sort, order, after } = listing;
  const rows = await read(listing);
  const page = toPage(rows, limit, (row) => [`${sort} ${order}`, row.sort_key, row.sort_id], map);
  const total = rows[0] ? rows[0].total : 0;
  return after || total === null || total > MAX_TOTAL ? page : { ...page, total };
}
