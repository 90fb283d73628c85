import type { Part } from '../engine.ts';
import { dimensions } from '../queries.ts';
import { UNKNOWN } from '../rows.ts';
import { quoted, selectFiles } from './reading.ts';

/** A part for another engine, with a number that distinguishes its rows from those of other attempts. */
export interface RowsOut {
  part: Pick<Part, 'id' | 'day' | 'logs' | 'devices' | 'sessions'>;
  load: number;
  /** Number of rows. */
  total: number;
}

/** Value of a missing date. */
export const NO_DATE = '-9000000000000000000';
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

const deviceColumns = [...dimensions, 'oem', 'screen', 'api'].map(
  (name) => `coalesce(${name}, '${UNKNOWN}') AS ${name}`,
);

/** Dates in custom properties, as times. Parsed here, so that all engines agree. */
const dates = `CASE WHEN type = 'customProperties' THEN list_transform(map_values(properties), lambda value:
  coalesce(epoch_ms(try_cast(regexp_replace(value, '^[^:]*:', '') AS TIMESTAMPTZ)), ${NO_DATE}::BIGINT)) ELSE [] END`;

export const countRows = (part: RowsOut['part']): string =>
  `SELECT count(*) AS rows FROM ${selectFiles('logs', [part])}`;

/**
 * Writes the rows of parts as JSON lines, unchanged except for defaults of missing values. Uncompressed, because
 * compression takes far longer than writing.
 */
export function writeRowsOut(parts: readonly RowsOut[], file: string): string {
  const selects = parts.map(
    ({ part, load, total }) => `SELECT ${quoted(part.id)} AS part, ${load} AS load, ${total} AS total, type, ts, device,
      coalesce(session, '${NO_SESSION}'::UUID) AS session, coalesce(name, '') AS name, ${deviceColumns.join()}, "user",
      coalesce(map_keys(properties), []) AS property_names, coalesce(map_values(properties), []) AS property_values,
      coalesce(${dates}, []) AS property_dates FROM ${selectFiles('logs', [part])}`,
  );
  return `COPY (${selects.join(' UNION ALL ')}) TO ${quoted(file)} (FORMAT json)`;
}
