import { Invalid, integer, optional } from '../setting-kinds.ts';
import { readShards } from './clickhouse/addresses.ts';

export const telemetrySettings = {
  telemetryUrl: optional(
    {
      variable: 'MOORING_TELEMETRY_URL',
      description:
        'ClickHouse that answers questions about telemetry: `https://user:password@host:8443/database`, or `http://`. Several servers with the same rows (replicas) have commas between them, shards, each with the rows of some apps, spaces. Unset: a process of this server does.',
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
        'Megabytes that the process which counts telemetry may use for its work, and a question in ClickHouse; what needs more uses the disk.',
    },
    512,
    128,
    65_536,
  ),
  telemetryThreads: integer(
    { variable: 'MOORING_TELEMETRY_THREADS', description: 'Threads of that process.' },
    2,
    1,
    64,
  ),
  telemetryTimeout: integer(
    {
      variable: 'MOORING_TELEMETRY_TIMEOUT',
      description: 'Seconds that one question about telemetry may take before it is given up.',
    },
    60,
    1,
    3600,
  ),
};
