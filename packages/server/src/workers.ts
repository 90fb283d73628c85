import cluster from 'node:cluster';
import { answerWorkers } from './http/worker-metrics.ts';
import { SECOND } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';

/** Tells a worker that the first one has made the set-up link and greeted already. */
const FOLLOWER = { NODE_MOORING_FOLLOWER: 'true' };
/** Tells a worker that it keeps what there is once on a machine. */
const KEEPER = { NODE_MOORING_KEEPER: 'true' };
const READY = 'ready';

export const { isWorker } = cluster;
export const isFollower = isWorker && process.env.NODE_MOORING_FOLLOWER === FOLLOWER.NODE_MOORING_FOLLOWER;
export const isKeeper = !isWorker || process.env.NODE_MOORING_KEEPER === KEEPER.NODE_MOORING_KEEPER;

/**
 * Reports the end of a parent that keeps a channel to this process, as `npm start` and `mooring serve` do: it closes
 * however the parent ends. Without a channel, as under systemd or in a container, nothing is reported. Node itself ends workers.
 */
export function onParentEnd(report: () => void): void {
  if (!isWorker && process.connected) process.once('disconnect', report);
}

/** True if the channel to the parent has closed; always false for a process without one. */
export const hasLostParent = (): boolean => process.connected === false;

/** For a worker: it has opened its ports. */
export const tellReady = (): void => {
  process.send?.(READY);
};

/** A worker that ends sooner than this after its start is replaced only then, so that a fault does not spin. */
const TOO_SOON = 5 * SECOND;

/**
 * Keeps a number of workers running, which share their ports: the first one, once that is ready the others, and new ones
 * for those that end. Resolves to an exit code when the first one cannot start, or when all have stopped after a signal.
 */
export function runWorkers(count: number, log: Log): Promise<number> {
  answerWorkers(log);
  const { promise, resolve } = Promise.withResolvers<number>();
  let live = 0;
  let isReady = false;
  let isStopping = false;

  function start(env: Record<string, string>, isKeeper = false): void {
    const startedAt = Date.now();
    const worker = cluster.fork(isKeeper ? { ...env, ...KEEPER } : env);
    live += 1;
    worker.on('message', (message) => {
      if (message !== READY || isReady) return;
      isReady = true;
      for (let n = 1; n < count; n++) start(FOLLOWER);
    });
    worker.once('exit', (code, signal) => {
      live -= 1;
      if (!isReady) return resolve(code ?? 1);
      if (isStopping) return live === 0 ? resolve(0) : undefined;
      log.error({ worker: worker.process.pid, code, signal }, 'a worker ended; another takes its place');
      const wait = Math.max(0, startedAt + TOO_SOON - Date.now());
      setTimeout(() => isStopping || start(FOLLOWER, isKeeper), wait);
    });
  }

  const stop = () => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    if (live === 0) resolve(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  onParentEnd(stop);
  start({}, true);
  return promise;
}
