/** Rows per statement; each row needs one parameter per column. */
const CHUNK_SIZE = 200;

/** Writes or looks up many rows, one chunk per statement. */
export async function inChunks<T>(rows: readonly T[], write: (some: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK_SIZE) await write(rows.slice(at, at + CHUNK_SIZE));
}
