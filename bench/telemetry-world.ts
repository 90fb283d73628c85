import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeFiles } from '../packages/server/src/telemetry/duckdb/writing.ts';
import type { Part } from '../packages/server/src/telemetry/index.ts';

export const DAYS = 90;
/** Some day of 2026. */
export const LAST_DAY = 20_700;
const DAY = 86_400_000;

/**
 * A day of an app: a device is active for some days around its own, most are of a few versions and countries, half of all
 * events are of a few names. The same numbers give the same day.
 */
const dayOfLogs = (day: number, logs: number): string => {
  const sessions = Math.floor(logs / 4.5);
  const chance = (salt: number) => `(hash(n * 1000003 + ${day * 31 + salt}) % 1000000) / 1000000.0`;
  return `CREATE OR REPLACE TABLE day_of_logs AS
    WITH starts AS (
      SELECT n, ${LAST_DAY - DAYS} + floor(power(${chance(1)}, 2) * 40000)::BIGINT + ${day} * 1300 AS device_number,
        ${day}::BIGINT * ${DAY} + floor(${chance(2)} * 80000000)::BIGINT AS began
      FROM range(${sessions}) AS numbers(n)),
    devices AS (
      SELECT *, md5(device_number::VARCHAR)::UUID AS device, md5(concat(n, '/', ${day}))::UUID AS session,
        hash(device_number) AS h FROM starts),
    logs AS (
      SELECT *, unnest(range(0, 1 + (hash(n * 7) % 8)::BIGINT)) AS step FROM devices)
    SELECT CASE WHEN step = 0 THEN 'startSession' ELSE 'event' END AS type, began + step * 7000 AS ts, device, session,
      hash(session::VARCHAR, step) AS key,
      CASE WHEN step > 0 THEN concat('event ', floor(power((hash(n, step) % 1000) / 1000.0, 3) * 100)::INTEGER) END AS name,
      concat('1.', least(9, (h % 40) // 4), '.0') AS version, concat('', h % 40) AS build,
      ['US','DE','FR','IN','BR','JP','GB','unknown'][1 + least(7, ((h // 64) % 16) // 2)::INTEGER] AS country,
      concat('Model ', floor(power(((h // 4096) % 1000) / 1000.0, 2) * 300)::INTEGER) AS model, 'Google' AS oem,
      concat('Android ', 10 + (h // 16) % 6) AS os, ['en-US','de-DE','fr-FR','hi-IN'][1 + ((h // 128) % 4)::INTEGER] AS language,
      'unknown' AS carrier, '1080x2400' AS screen, '34' AS api, NULL::VARCHAR AS "user",
      CASE WHEN step > 0 THEN MAP {'plan': CASE WHEN h % 3 = 0 THEN 'pro' ELSE 'free' END, 'items': concat('', hash(n, step) % 50)} END
        AS properties
    FROM logs`;
};

/** Files of so many days, as compaction leaves them when a day is over; says how many logs they hold. */
export async function writeDays(
  folder: string,
  logsPerDay: number,
  lastDay = LAST_DAY,
): Promise<{ parts: Part[]; logs: number }> {
  mkdirSync(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1500MB' });
  const connection = await instance.connect();
  const parts: Part[] = [];
  let logs = 0;
  for (let day = lastDay - DAYS + 1; day <= lastDay; day += 1) {
    await connection.run(dayOfLogs(day, logsPerDay));
    const name = (kind: string) => path.join(folder, `${day}.${kind}.parquet`);
    const files = { logs: name('logs'), devices: name('devices'), sessions: name('sessions') };
    for (const sql of Object.values(writeFiles('day_of_logs', files))) await connection.run(sql);
    logs += Number((await connection.runAndReadAll('SELECT count(*) FROM day_of_logs')).getRows()[0]?.[0]);
    parts.push({ ...files, id: String(day), day });
  }
  connection.closeSync();
  instance.closeSync();
  return { parts, logs };
}

/** The same logs as rows that any database can load. */
export async function writeCsv(parts: readonly Part[], file: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1500MB' });
  const connection = await instance.connect();
  const list = parts.map(({ logs }) => `'${logs}'`).join();
  await connection.run(`COPY (SELECT (ts // ${DAY})::INTEGER AS day, ts, type, device, session, name, version, country, model,
    coalesce(properties['plan'], '') AS plan, coalesce(properties['items'], '') AS items FROM read_parquet([${list}]))
    TO '${file}' (FORMAT csv, HEADER false)`);
  connection.closeSync();
  instance.closeSync();
}
