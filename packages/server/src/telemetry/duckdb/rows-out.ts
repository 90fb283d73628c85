import type { Part } from '../engine.ts';
import { dimensions } from '../questions.ts';
import { UNKNOWN } from '../rows.ts';
import { filesOf, quoted } from './reading.ts';

/** A part for another engine, under a number by which its rows are told from those of any other attempt. */
export interface RowsOut {
  part: Pick<Part, 'id' | 'day' | 'logs' | 'devices' | 'sessions'>;
  load: number;
  /** How many rows it has. */
  total: number;
}

/** What no date is told as. */
export const NO_DATE = '-9000000000000000000';
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

const told = [...dimensions, 'oem', 'screen', 'api'].map((name) => `coalesce(${name}, '${UNKNOWN}') AS ${name}`);

/** Dates that apps tell of devices, as times: how their texts are read is decided here for every engine. */
const dates = `CASE WHEN type = 'customProperties' THEN list_transform(map_values(properties), lambda value:
  coalesce(epoch_ms(try_cast(regexp_replace(value, '^[^:]*:', '') AS TIMESTAMPTZ)), ${NO_DATE}::BIGINT)) ELSE [] END`;

export const countRows = (part: RowsOut['part']): string => `SELECT count(*) AS rows FROM ${filesOf('logs', [part])}`;

/** The rows of parts as lines of JSON, not packed, which takes far longer than writing them; nothing of them is left out or changed but what is absent. */
export function writeRowsOut(parts: readonly RowsOut[], file: string): string {
  const selects = parts.map(
    ({ part, load, total }) => `SELECT ${quoted(part.id)} AS part, ${load} AS load, ${total} AS total, type, ts, device,
      coalesce(session, '${NO_SESSION}'::UUID) AS session, coalesce(name, '') AS name, ${told.join()}, "user",
      coalesce(map_keys(properties), []) AS property_names, coalesce(map_values(properties), []) AS property_values,
      coalesce(${dates}, []) AS property_dates FROM ${filesOf('logs', [part])}`,
  );
  return `COPY (${selects.join(' UNION ALL ')}) TO ${quoted(file)} (FORMAT json)`;
}
