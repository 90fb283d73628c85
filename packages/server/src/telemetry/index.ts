import path from 'node:path';
import type { Log } from '../kernel/log.ts';
import { readShards } from './clickhouse/addresses.ts';
import { createClickhouseEngine } from './clickhouse/index.ts';
import { createDuckdbEngine } from './duckdb/index.ts';
import type { Engine } from './engine.ts';

export {
  type Engine,
  type Erasure,
  type FileKind,
  fileKinds,
  type LogBatch,
  OTHER_EVENTS,
  type Part,
  type PartFiles,
  type Staged,
  type WrittenPart,
} from './engine.ts';
export {
  type CustomType,
  countDays,
  type Day,
  type DayRange,
  type DeviceFilter,
  type DeviceProperty,
  type Dimension,
  type EventOrder,
  type EventRow,
  type Filter,
  type FoundLog,
  type FunnelStep,
  type Grouping,
  getDayStart,
  getPreviousRange,
  getQueryDays,
  type Measure,
  type QueryName,
  type QueryResult,
  type TelemetryQuery,
  type TimeRange,
  toDay,
} from './queries.ts';
export { type RowLimits, usageTypes } from './rows.ts';

export interface TelemetrySettings {
  dataDir: string;
  telemetryUrl: string | undefined;
  telemetryMemory: number;
  telemetryThreads: number;
  telemetryTimeout: number;
}

/** Folder for working files. All of them can be recreated. */
export const telemetryFolder = ({ dataDir }: Pick<TelemetrySettings, 'dataDir'>): string =>
  path.join(dataDir, 'telemetry');

/** Creates the engine that the settings select. Starts and connects to nothing before the first query. */
export function createEngine(settings: TelemetrySettings, log: Log): Engine {
  const { telemetryUrl, telemetryMemory: memoryMb, telemetryTimeout: timeoutSeconds } = settings;
  const folder = telemetryFolder(settings);
  const duckdb = createDuckdbEngine({ folder, memoryMb, threads: settings.telemetryThreads, timeoutSeconds, log });
  if (telemetryUrl === undefined) return duckdb;
  return createClickhouseEngine(duckdb, { shards: readShards(telemetryUrl), memoryMb, timeoutSeconds, log });
}
