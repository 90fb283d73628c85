import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { SECOND } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';

/** Metrics of one worker. The primary process aggregates those of all workers. */
type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
type FromWorker =
  | { kind: 'has figures' }
  | { kind: 'figures'; id: number; figures: Figures[] }
  | { kind: 'metrics?'; id: number };
type FromPrimary = { kind: 'figures?'; id: number } | { kind: 'metrics'; id: number; text: string | undefined };

/** Timeout for a worker that ends or hangs; its metrics are omitted. */
const WORKER_TIMEOUT = 2 * SECOND;

let lastRequestId = 0;

/** In a worker: requests the metrics of all workers. Undefined in other processes. */
export async function requestFromPrimary(): Promise<string | undefined> {
  if (!cluster.isWorker) return undefined;
  const id = ++lastRequestId;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const listen = (message: FromPrimary) => {
    if (message?.kind === 'metrics' && message.id === id) resolve(message.text);
  };
  process.on('message', listen);
  process.send?.({ kind: 'metrics?', id } satisfies FromWorker);
  return promise.finally(() => process.off('message', listen));
}

/** In a worker: sends its metrics whenever the primary process requests them. */
export function reportToPrimary(registries: readonly Registry[]): void {
  if (!cluster.isWorker) return;
  const send = (message: FromWorker) => process.send?.(message, undefined, {}, () => undefined);
  process.on('message', async (message: FromPrimary) => {
    if (message?.kind !== 'figures?') return;
    const figures = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
    send({ kind: 'figures', id: message.id, figures });
  });
  send({ kind: 'has figures' });
}

/**
 * In the primary process: serves the metrics of all workers. If that fails, the requesting worker falls back to its
 * own.
 */
export function serveWorkers(log: Log): void {
  const reporters = new Set<Worker>();
  const waiting = new Map<number, (figures: Figures[]) => void>();
  let requests = 0;
  const send = (worker: Worker, message: FromPrimary) => worker.send(message, () => undefined);

  function requestFigures(worker: Worker): Promise<Figures[]> {
    const id = ++requests;
    return new Promise((resolve) => {
      const done = (figures: Figures[]) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(figures);
      };
      const timer = setTimeout(done, WORKER_TIMEOUT, []);
      waiting.set(id, done);
      send(worker, { kind: 'figures?', id });
    });
  }

  const aggregate = async (): Promise<string> => {
    const figures = await Promise.all([...reporters].map(requestFigures));
    return AggregatorRegistry.aggregate(figures.flat()).metrics();
  };

  cluster.on('exit', (worker) => reporters.delete(worker));
  cluster.on('message', async (worker: Worker, message: FromWorker) => {
    if (message?.kind === 'has figures') reporters.add(worker);
    if (message?.kind === 'figures') waiting.get(message.id)?.(message.figures);
    if (message?.kind !== 'metrics?') return;
    const text = await aggregate().catch((err: unknown) => {
      log.error({ err }, 'failed to aggregate the metrics of the workers');
      return undefined;
    });
    send(worker, { kind: 'metrics', id: message.id, text });
  });
}
