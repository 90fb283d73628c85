import { DuckDBInstance } from '@duckdb/node-api';

/** A Parquet file as an earlier version would have written it: without the columns that came later. */
export async function copyWithoutColumns(from: string, to: string, columns: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(
      `COPY (SELECT * EXCLUDE (${columns.join(', ')}) FROM read_parquet('${from}')) TO '${to}' (FORMAT parquet)`,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** What a Parquet file holds. */
export async function readParquet(file: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(`SELECT * FROM read_parquet('${file}')`)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
