import { integer } from '../setting-kinds.ts';

export const telemetrySettings = {
  telemetryMemory: integer(
    {
      variable: 'MOORING_TELEMETRY_MEMORY',
      description:
        'Megabytes that the process which counts telemetry may use for its work; what needs more uses the disk.',
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
