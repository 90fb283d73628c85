import type { Deps } from '../context.ts';
import { oncePerTick } from '../db/once-per-tick.ts';
import type { Metrics } from '../http/monitoring/metrics.ts';
import { countJobs } from '../jobs/index.ts';
import { SECOND } from '../kernel/clock.ts';
import { countWaitingDeliveries } from '../outbound/delivery/index.ts';

/** Adds metrics of the job queue, deliveries and ClickHouse servers. */
export function watchQueues(metrics: Metrics, deps: Deps): void {
  const countNow = oncePerTick(() => countJobs(deps));
  const countDeliveries = oncePerTick(() => countWaitingDeliveries(deps));
  metrics.watch(
    { name: 'mooring_jobs', help: 'Jobs in the queue, by state.', label: 'state' },
    async () => (await countNow()).counts,
  );
  metrics.watch(
    { name: 'mooring_job_delay_seconds', help: 'Seconds since the oldest queued job became due.' },
    async () => ({ delay: (await countNow()).delay / SECOND }),
  );
  metrics.watch({ name: 'mooring_deliveries_due', help: 'Webhook deliveries that are due.' }, async () => ({
    due: (await countDeliveries()).due,
  }));
  metrics.watch(
    { name: 'mooring_delivery_delay_seconds', help: 'Seconds since the oldest queued delivery became due.' },
    async () => ({ delay: (await countDeliveries()).delay / SECOND }),
  );
  if (deps.config.telemetryUrl === undefined) return;
  const help = '1 if a ClickHouse server can be queried, 0 if not.';
  metrics.watch({ name: 'mooring_telemetry_server_up', help, label: 'server' }, async () =>
    Object.fromEntries((await deps.telemetry.servers()).map(({ name, problem }) => [name, problem ? 0 : 1])),
  );
}
