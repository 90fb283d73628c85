import { type Counter, collectDefaultMetrics, Gauge, Histogram, Counter as PromCounter, Registry } from 'prom-client';
import { reportToPrimary, requestFromPrimary } from './worker-metrics.ts';

/** Metrics for Prometheus. Each server has its own registry, so that two in one process do not mix. */
export interface Metrics {
  registry: Registry;
  /** Metrics of this process, or of all workers on this machine together. */
  render(): Promise<string>;
  observeRequest(operation: string, status: number, seconds: number): void;
  observeQuery(seconds: number): void;
  /** Adds a value that is read when metrics are requested. All processes on one database report the same value. */
  watch(figure: { name: string; help: string; label?: string }, read: () => Promise<Record<string, number>>): void;
}

let processRegistry: Registry | undefined;

/**
 * Collects metrics of the process once, even if several servers run in it, because the collector's observers are never
 * removed.
 */
function ofProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  reportToPrimary([ofProcess(), registry]);
  const requests = new PromCounter({
    name: 'mooring_http_requests_total',
    help: 'HTTP requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const latency = new Histogram({
    name: 'mooring_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const database = new Histogram({
    name: 'mooring_database_query_duration_seconds',
    help: 'Duration of database statements.',
    buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
    registers: [registry],
  });

  // Finding a child by its labels costs more than counting, so cache it.
  const counters = new Map<string, Counter.Internal>();
  const timers = new Map<string, Histogram.Internal<'operation'>>();
  const remembered = <V>(map: Map<string, V>, key: string, make: () => V): V => {
    const existing = map.get(key) ?? make();
    map.set(key, existing);
    return existing;
  };

  return {
    registry,
    render: async () => (await requestFromPrimary()) ?? Registry.merge([ofProcess(), registry]).metrics(),
    observeRequest(operation, status, seconds) {
      remembered(counters, `${operation} ${status}`, () => requests.labels(operation, String(status))).inc();
      remembered(timers, operation, () => latency.labels(operation)).observe(seconds);
    },
    observeQuery: (seconds) => database.observe(seconds),
    watch({ name, help, label }, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: label ? [label] : [],
        registers: [registry],
        aggregator: 'max',
        async collect() {
          gauge.reset();
          // If reading fails, the metric is omitted; other metrics show the cause.
          const found = await read().catch(() => ({}));
          for (const [of, value] of Object.entries(found)) gauge.set(label ? { [label]: of } : {}, value);
        },
      });
    },
  };
}
