import { DuckDBInstance } from '@duckdb/node-api';

/** A Parquet file of an earlier version, without columns that were added later. */
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

/** Rows of a Parquet file. */
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
