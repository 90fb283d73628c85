import { badRequest } from './errors.ts';

export interface Page<T> {
  values: T[];
  nextCursor: string | undefined;
}

/** Where a page ended: the sort key and the unique tie-break of its last row. */
export type Position = readonly (string | number)[];

const encode = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

const isPart = (part: unknown, type: 'string' | 'number'): boolean =>
  type === 'number' ? Number.isSafeInteger(part) : typeof part === 'string' && !part.includes('\0');

/** The position in a cursor that we made, with one value of the given type for each part; anything else is a 400. */
export function decodeCursor(cursor: string, types: readonly ('string' | 'number')[]): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const fits =
      Array.isArray(position) &&
      position.length === types.length &&
      types.every((type, index) => isPart(position[index], type));
    if (fits) return position as Position;
  } catch {
    // falls through to the one answer for every broken cursor
  }
  throw badRequest('cursor is not one that this server gave out; leave it away to start from the first page.');
}

/** A page of what is read: a row more than it holds says that another one follows. */
export async function readPage<R, T>(
  limit: number,
  read: (rows: number) => Promise<R[]>,
  position: (row: R) => Position,
  map: (row: R) => T,
): Promise<Page<T>> {
  const rows = await read(limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { values: shown.map(map), nextCursor: rows.length > limit && last ? encode(position(last)) : undefined };
}
