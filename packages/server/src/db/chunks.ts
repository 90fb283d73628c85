/** Rows of one statement; each has as many parameters as columns. */
const AT_ONCE = 200;

/** Writes, or looks for, many rows with a statement for some of them at a time. */
export async function inChunks<T>(rows: readonly T[], write: (some: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE) await write(rows.slice(at, at + AT_ONCE));
}
