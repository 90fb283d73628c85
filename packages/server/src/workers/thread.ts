import { Worker } from 'node:worker_threads';
import { canceled } from '../kernel/fair-pool.ts';
import { Unreadable } from './unreadable.ts';

export interface ThreadLimits {
  seconds: number;
  memoryMb: number;
  /** Ends the thread when aborted. */
  signal?: AbortSignal | undefined;
}

/** What a thread tells at its end. */
export type Told = { value: unknown } | { unreadable: string } | { error: string };

const entry = new URL('./thread-entry.ts', import.meta.url);

/**
 * Runs the default export of a module in a thread of its own, which ends with it. For work on what others have made: however
 * long that takes, requests are answered meanwhile, and what takes too long or too much memory is ended.
 */
export function runInThread<O>(module: URL, input: object, { seconds, memoryMb, signal }: ThreadLimits): Promise<O> {
  if (signal?.aborted) return Promise.reject(canceled());
  const { promise, resolve, reject } = Promise.withResolvers<O>();
  const worker = new Worker(entry, {
    workerData: { module: module.href, input },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const timer = setTimeout(
    () => reject(new Unreadable(`It takes longer than ${seconds} seconds to read.`)),
    seconds * 1000,
  );
  const cancel = () => reject(canceled());
  signal?.addEventListener('abort', cancel, { once: true });
  worker.on('message', (told: Told) => {
    if ('value' in told) resolve(told.value as O);
    else reject('unreadable' in told ? new Unreadable(told.unreadable) : new Error(told.error));
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new Unreadable(`It takes more than ${memoryMb} MiB of memory to read.`)
        : error,
    ),
  );
  worker.on('exit', (code) => reject(new Error(`a thread ended with ${code} before its work was done`)));
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    void worker.terminate();
  });
}
