import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../kernel/log.ts';
import type { DuckdbEngine } from '../duckdb/index.ts';
import type { Part } from '../engine.ts';
import { dimensions } from '../questions.ts';
import { ClickhouseError, type Client, ServerTrouble } from './client.ts';
import type { Holdings } from './holdings.ts';
import { quoted, TABLE } from './reading.ts';

/**
 * One partition is one attempt to take in a part, and says how many rows that has: with fewer it is not finished, or never
 * will be. An operator may make the table before, with another engine.
 */
export const tableStatement = (engine = 'MergeTree'): string => `CREATE TABLE IF NOT EXISTS ${TABLE} (part String,
  load UInt64, total UInt64, type String, ts Int64, device UUID, session UUID, name String,
  ${[...dimensions, 'oem', 'screen', 'api'].map((name) => `${name} String`).join(', ')},
  user Nullable(String), property_names Array(String), property_values Array(String), property_dates Array(Int64))
  ENGINE = ${engine} PARTITION BY (part, load, total) ORDER BY (type, name, device, ts)`;

/** Copied by ClickHouse itself; which server is which is told by macros of its own. */
const replicatedEngine = (database: string): string =>
  `ReplicatedMergeTree(${quoted(`/clickhouse/tables/{shard}/${database || 'default'}/${TABLE}`)}, '{replica}')`;

const IS_BEING_MADE = 57;

/** Makes the table where it is not. One of the time when its server was alone has only copies, and gives way. */
export async function makeTable(client: Client, isReplicated: boolean, log: Log): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (isReplicated) await dropLonely(client);
      return await client.run(tableStatement(isReplicated ? replicatedEngine(client.database) : undefined));
    } catch (error) {
      if (!(error instanceof ClickhouseError)) throw error;
      if (error.number !== IS_BEING_MADE || tries > 50) {
        log.error({ host: client.name, reason: error.message }, 'ClickHouse does not make its table');
        throw new ServerTrouble('ClickHouse cannot make its table; the log of this server says why.');
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

/** What is taken in at once: many small parts, or one that is large. */
const MOST_BYTES = 64 * 1024 ** 2;
const MOST_PARTS = 50;

/** Parts in groups that are taken in at once. */
export async function chunksOf(parts: readonly Part[]): Promise<Part[][]> {
  const chunks: Part[][] = [];
  let room = 0;
  for (const part of parts) {
    const size = (await stat(part.logs).catch(() => undefined))?.size ?? 0;
    const last = chunks.at(-1);
    room -= size;
    if (last && room >= 0 && last.length < MOST_PARTS) last.push(part);
    else {
      chunks.push([part]);
      room = MOST_BYTES - size;
    }
  }
  return chunks;
}

/** Takes in parts, in one insert. Numbers are of this attempt alone: rows of two must never add up to one. */
export async function insertParts(
  duckdb: Pick<DuckdbEngine, 'withRows'>,
  { client, holdings }: { client: Client; holdings: Holdings },
  parts: readonly Part[],
): Promise<void> {
  const attempts = parts.map((part) => ({ part, load: randomInt(1, 2 ** 48 - 1) }));
  await duckdb.withRows(attempts, async (file, totals) => {
    const loads = attempts.map(({ part, load }, at) => ({ part: part.id, load, total: totals[at] ?? 0 }));
    try {
      await client.insert(TABLE, file);
    } catch (error) {
      // What is half there is in nobody's way, and goes when it is tidied up if it does not now.
      await holdings.drop(loads).catch(() => undefined);
      throw error;
    }
  });
}
