import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { SECOND } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** A worker knows only its own figures; the process that started the workers adds all of them up. */
type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
type FromWorker =
  | { kind: 'has figures' }
  | { kind: 'figures'; id: number; figures: Figures[] }
  | { kind: 'metrics?'; id: number };
type FromPrimary = { kind: 'figures?'; id: number } | { kind: 'metrics'; id: number; text: string | undefined };

/** Who ends or hangs just now is left out. */
const PATIENCE = 2 * SECOND;

let asked = 0;

/** In a worker: the figures of all of them; nothing where this process is no worker. */
export async function askPrimary(): Promise<string | undefined> {
  if (!cluster.isWorker) return undefined;
  const id = ++asked;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const listen = (message: FromPrimary) => {
    if (message?.kind === 'metrics' && message.id === id) resolve(message.text);
  };
  process.on('message', listen);
  process.send?.({ kind: 'metrics?', id } satisfies FromWorker);
  return promise.finally(() => process.off('message', listen));
}

/** In a worker: tells its figures whenever the process that started it asks. */
export function tellPrimary(registries: readonly Registry[]): void {
  if (!cluster.isWorker) return;
  const tell = (message: FromWorker) => process.send?.(message, undefined, {}, () => undefined);
  process.on('message', async (message: FromPrimary) => {
    if (message?.kind !== 'figures?') return;
    const figures = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
    tell({ kind: 'figures', id: message.id, figures });
  });
  tell({ kind: 'has figures' });
}

/** In the process that started the workers: answers them; without a word the one that asked tells its own figures. */
export function answerWorkers(log: Log): void {
  const tellers = new Set<Worker>();
  const waiting = new Map<number, (figures: Figures[]) => void>();
  let questions = 0;
  const tell = (worker: Worker, message: FromPrimary) => worker.send(message, () => undefined);

  function ask(worker: Worker): Promise<Figures[]> {
    const id = ++questions;
    return new Promise((resolve) => {
      const done = (figures: Figures[]) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(figures);
      };
      const timer = setTimeout(done, PATIENCE, []);
      waiting.set(id, done);
      tell(worker, { kind: 'figures?', id });
    });
  }

  const addUp = async (): Promise<string> => {
    const figures = await Promise.all([...tellers].map(ask));
    return AggregatorRegistry.aggregate(figures.flat()).metrics();
  };

  cluster.on('exit', (worker) => tellers.delete(worker));
  cluster.on('message', async (worker: Worker, message: FromWorker) => {
    if (message?.kind === 'has figures') tellers.add(worker);
    if (message?.kind === 'figures') waiting.get(message.id)?.(message.figures);
    if (message?.kind !== 'metrics?') return;
    const text = await addUp().catch((err: unknown) => {
      log.error({ err }, 'the figures of the workers could not be added up');
      return undefined;
    });
    tell(worker, { kind: 'metrics', id: message.id, text });
  });
}
