import path from 'node:path';
import type { Log } from '../kernel/log.ts';
import { readShards } from './clickhouse/addresses.ts';
import { createClickhouseEngine } from './clickhouse/index.ts';
import { createDuckdbEngine } from './duckdb/index.ts';
import type { Engine } from './engine.ts';

export {
  type Engine,
  type FileKind,
  type Forgotten,
  fileKinds,
  type LogBatch,
  OTHER_EVENTS,
  type Part,
  type PartFiles,
  type Staged,
  type WrittenPart,
} from './engine.ts';
export {
  type Answer,
  type CustomType,
  type Day,
  type DayRange,
  type DeviceFilter,
  type DeviceProperty,
  type Dimension,
  dayOf,
  daysOf,
  type EventOrder,
  type EventRow,
  type Filter,
  type FoundLog,
  type FunnelStep,
  type Grouping,
  lengthOf,
  type Measure,
  previousOf,
  type Question,
  type QuestionName,
  startOfDay,
  type TimeRange,
} from './questions.ts';
export { type RowLimits, usageTypes } from './rows.ts';

export interface TelemetrySettings {
  dataDir: string;
  telemetryUrl: string | undefined;
  telemetryMemory: number;
  telemetryThreads: number;
  telemetryTimeout: number;
}

/** Where this machine keeps what it works with, all of which can be made again. */
export const telemetryFolder = ({ dataDir }: Pick<TelemetrySettings, 'dataDir'>): string =>
  path.join(dataDir, 'telemetry');

/** The engine that the settings ask for. Nothing is started or reached before the first question. */
export function createEngine(settings: TelemetrySettings, log: Log): Engine {
  const { telemetryUrl, telemetryMemory: memoryMb, telemetryTimeout: timeoutSeconds } = settings;
  const folder = telemetryFolder(settings);
  const duckdb = createDuckdbEngine({ folder, memoryMb, threads: settings.telemetryThreads, timeoutSeconds, log });
  if (telemetryUrl === undefined) return duckdb;
  return createClickhouseEngine(duckdb, { shards: readShards(telemetryUrl), memoryMb, timeoutSeconds, log });
}
