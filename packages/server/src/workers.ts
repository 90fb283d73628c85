import cluster from 'node:cluster';
import { serveWorkers } from './http/monitoring/worker-metrics.ts';
import { SECOND } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';

/** For a worker: the first one has already created the setup link and printed the start-up output. */
const FOLLOWER = { NODE_MOORING_FOLLOWER: 'true' };
/** For a worker: it runs the tasks that run once per machine. */
const LEADER = { NODE_MOORING_LEADER: 'true' };
const READY = 'ready';

export const { isWorker } = cluster;
export const isFollower = isWorker && process.env.NODE_MOORING_FOLLOWER === FOLLOWER.NODE_MOORING_FOLLOWER;
export const isLeader = !isWorker || process.env.NODE_MOORING_LEADER === LEADER.NODE_MOORING_LEADER;

/**
 * Reports the end of a parent that keeps a channel to this process, as `npm start` and `mooring serve` do: the channel
 * closes however the parent ends. Without a channel, as under systemd or in a container, nothing is reported. Node
 * itself ends workers.
 */
export function onParentEnd(report: () => void): void {
  if (!isWorker && process.connected) process.once('disconnect', report);
}

/** True if the channel to the parent has closed; always false for a process without one. */
export const hasLostParent = (): boolean => process.connected === false;

/** For a worker: reports that its ports are open. */
export const reportReady = (): void => {
  process.send?.(READY);
};

/** A worker that ends earlier than this is replaced only then, so that a failure at start does not cause a loop. */
const MIN_LIFETIME = 5 * SECOND;

/**
 * Keeps `count` workers running, which share their ports: starts the first one, then the others once it is ready, and
 * replaces those that end. Resolves to an exit code if the first one cannot start, or when all have stopped after a
 * signal.
 */
export function runWorkers(count: number, log: Log): Promise<number> {
  serveWorkers(log);
  const { promise, resolve } = Promise.withResolvers<number>();
  let live = 0;
  let isReady = false;
  let isStopping = false;

  function start(env: Record<string, string>, isLeader = false): void {
    const startedAt = Date.now();
    const worker = cluster.fork(isLeader ? { ...env, ...LEADER } : env);
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
      log.error({ worker: worker.process.pid, code, signal }, 'worker process ended, starting another');
      const wait = Math.max(0, startedAt + MIN_LIFETIME - Date.now());
      setTimeout(() => isStopping || start(FOLLOWER, isLeader), wait);
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
