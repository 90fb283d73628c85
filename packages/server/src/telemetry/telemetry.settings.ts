import { Invalid, integer, optional } from '../setting-kinds.ts';
import { readShards } from './clickhouse/addresses.ts';

export const telemetrySettings = {
  telemetryUrl: optional(
    {
      variable: 'MOORING_TELEMETRY_URL',
      description:
        'ClickHouse for telemetry queries: `https://user:password@host:8443/database`, or `http://`. Separate replicas (servers with the same rows) by commas, and shards (each with the rows of some apps) by spaces. If unset, the server runs the queries itself, in a separate process.',
      secret: true,
    },
    (value) => {
      try {
        readShards(value);
      } catch (error) {
        throw new Invalid((error as Error).message);
      }
      return value;
    },
  ),
  telemetryMemory: integer(
    {
      variable: 'MOORING_TELEMETRY_MEMORY',
      description:
        'Memory limit of the telemetry process, or of a query in ClickHouse, in MB. Larger queries use the disk.',
    },
    512,
    128,
    65_536,
  ),
  telemetryThreads: integer(
    { variable: 'MOORING_TELEMETRY_THREADS', description: 'Number of threads of the telemetry process.' },
    2,
    1,
    64,
  ),
  telemetryTimeout: integer(
    {
      variable: 'MOORING_TELEMETRY_TIMEOUT',
      description: 'Time limit of a telemetry query, in seconds.',
    },
    60,
    1,
    3600,
  ),
};
