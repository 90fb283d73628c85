import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';

/** A worker knows only its own figures; the process that started the workers adds all of them up. */
interface Question {
  kind: 'metrics?';
  id: number;
}
interface Answer {
  kind: 'metrics';
  id: number;
  text: string | undefined;
}

let asked = 0;

/** The figures of all workers; nothing where this process is no worker. */
export async function askPrimary(): Promise<string | undefined> {
  if (!cluster.isWorker) return undefined;
  const id = ++asked;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const listen = (message: Answer) => {
    if (message?.kind === 'metrics' && message.id === id) resolve(message.text);
  };
  process.on('message', listen);
  process.send?.({ kind: 'metrics?', id } satisfies Question);
  return promise.finally(() => process.off('message', listen));
}

/** In the process that started the workers: answers them. */
export function answerWorkers(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', async (worker: Worker, message: Question) => {
    if (message?.kind !== 'metrics?') return;
    // A worker that ends just now does not answer; the one that asked then tells its own figures.
    const text = await aggregator.clusterMetrics().catch(() => undefined);
    worker.send({ kind: 'metrics', id: message.id, text } satisfies Answer);
  });
}
