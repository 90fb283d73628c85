/** Rows per page. */
const PAGE = 100;

/** Yields rows in the order of a key. Reads the next page once the caller has processed the previous one. */
export async function* eachRow<R>(
  read: (page: { after: string; limit: number }) => Promise<readonly R[]>,
  getKey: (row: R) => string,
  limit = PAGE,
): AsyncGenerator<R> {
  let rows: readonly R[];
  let after = '';
  do {
    rows = await read({ after, limit });
    yield* rows;
    after = rows.length > 0 ? getKey(rows[rows.length - 1] as R) : after;
  } while (rows.length === limit);
}
