import { integer, must, optional } from '../setting-kinds.ts';

export const telemetrySettings = {
  telemetryUrl: optional(
    {
      variable: 'MOORING_TELEMETRY_URL',
      description:
        'ClickHouse that answers questions about telemetry: `https://user:password@host:8443/database`, or `http://`. Unset: a process of this server does.',
      secret: true,
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isHttp = url !== undefined && /^https?:$/.test(url.protocol) && /^\/[^/]*$/.test(url.pathname);
      must(
        isHttp && url.search === '' && url.hash === '',
        'an address such as https://user:password@host:8443/database',
      );
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
