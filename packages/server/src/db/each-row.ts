/** As many are read at a time. */
const PAGE = 100;

/** Rows in the order of a key, a page at a time; the next is read when something was done about all of the one before. */
export async function* eachRow<R>(
  read: (page: { after: string; limit: number }) => Promise<readonly R[]>,
  keyOf: (row: R) => string,
  limit = PAGE,
): AsyncGenerator<R> {
  let rows: readonly R[];
  let after = '';
  do {
    rows = await read({ after, limit });
    yield* rows;
    after = rows.length > 0 ? keyOf(rows[rows.length - 1] as R) : after;
  } while (rows.length === limit);
}
