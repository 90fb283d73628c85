import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../kernel/log.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { Part } from '../engine.ts';
import { dimensions } from '../queries.ts';
import { ClickhouseError, type Client, ServerProblem } from './client.ts';
import type { Inventory } from './inventory.ts';
import { quoted, TABLE } from './reading.ts';

/**
 * Each partition is one load of a part, and its key has the total number of rows: with fewer rows, the load is
 * incomplete. An operator may create the table beforehand, with another engine.
 */
export const tableStatement = (engine = 'MergeTree'): string => `CREATE TABLE IF NOT EXISTS ${TABLE} (part String,
  load UInt64, total UInt64, type String, ts Int64, device UUID, session UUID, name String,
  ${[...dimensions, 'oem', 'screen', 'api'].map((name) => `${name} String`).join(', ')},
  user Nullable(String), property_names Array(String), property_values Array(String), property_dates Array(Int64))
  ENGINE = ${engine} PARTITION BY (part, load, total) ORDER BY (type, name, device, ts)`;

/** ClickHouse replicates the table itself. Its macros identify shard and replica. */
const replicatedEngine = (database: string): string =>
  `ReplicatedMergeTree(${quoted(`/clickhouse/tables/{shard}/${database || 'default'}/${TABLE}`)}, '{replica}')`;

const IS_BEING_MADE = 57;

/** Creates the table if it is missing. Replaces one from before the server had replicas, which holds only copies. */
export async function makeTable(client: Client, isReplicated: boolean, log: Log): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (isReplicated) await dropLonely(client);
      return await client.run(tableStatement(isReplicated ? replicatedEngine(client.database) : undefined));
    } catch (error) {
      if (!(error instanceof ClickhouseError)) throw error;
      if (error.number !== IS_BEING_MADE || tries > 50) {
        log.error({ host: client.name, reason: error.message }, 'ClickHouse failed to create its table');
        throw new ServerProblem('ClickHouse failed to create its table. The log of this server has the reason.');
      }
      await wait(100);
    }
  }
}

async function dropLonely(client: Client): Promise<void> {
  const [found] = await client.rows(
    `SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = '${TABLE}'`,
  );
  if (found?.engine === 'MergeTree') await client.run(`DROP TABLE IF EXISTS ${TABLE}`);
}

/** Limits of one insert: many small parts, or one large part. */
const MAX_BYTES = 64 * 1024 ** 2;
const MAX_PARTS = 50;

/** Groups parts for inserts. */
export async function splitIntoChunks(parts: readonly Part[]): Promise<Part[][]> {
  const chunks: Part[][] = [];
  let remaining = 0;
  for (const part of parts) {
    const size = (await stat(part.logs).catch(() => undefined))?.size ?? 0;
    const last = chunks.at(-1);
    remaining -= size;
    if (last && remaining >= 0 && last.length < MAX_PARTS) last.push(part);
    else {
      chunks.push([part]);
      remaining = MAX_BYTES - size;
    }
  }
  return chunks;
}

/**
 * Inserts parts. Each attempt has its own random load number, so that incomplete attempts never add up to a complete
 * one.
 */
export async function insertParts(
  duckdb: Pick<DuckdbEngine, 'withRows'>,
  { client, inventory }: { client: Client; inventory: Inventory },
  parts: readonly Part[],
): Promise<void> {
  const attempts = parts.map((part) => ({ part, load: randomInt(1, 2 ** 48 - 1) }));
  await duckdb.withRows(attempts, async (file, totals) => {
    const loads = attempts.map(({ part, load }, at) => ({ part: part.id, load, total: totals[at] ?? 0 }));
    try {
      await client.insert(TABLE, file);
    } catch (error) {
      // Incomplete rows are ignored, and dropped later if this fails.
      await inventory.drop(loads).catch(() => undefined);
      throw error;
    }
  });
}
