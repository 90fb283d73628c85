import type { Deps } from '../context.ts';
import type { Domain } from '../domain.ts';
import { rateJobs } from '../http/rate-limits/rate-counts.ts';
import { checkEvents, createWorker, definedEvents, definedJobs, type Job, lanes, listHandlers } from '../jobs/index.ts';
import { createDeliveryWorker, deliveryJobs } from '../outbound/delivery/index.ts';
import { uploadJobs } from '../uploads/index.ts';

/** Workers of this process: one for each lane of the job queue, and one for deliveries. */
export interface JobWorkers {
  wake(): void;
  start(): Promise<void>;
  /** Runs due jobs until none is left. Returns the number of runs. */
  runDue(): Promise<number>;
  stop(): Promise<void>;
}

export function createJobWorkers(deps: Deps, domains: readonly Domain[]): JobWorkers {
  checkEvents(
    definedEvents(),
    domains.flatMap(({ events = [] }) => events),
    deps.listeners,
  );
  const handlers = [
    ...rateJobs,
    ...uploadJobs,
    ...domains.flatMap(({ jobs = [] }) => jobs),
    ...listHandlers(deps.listeners),
    ...deliveryJobs,
  ];
  const workers = [
    ...Object.entries(lanes).map(([lane, { concurrency }]) => {
      const isInLane = (job: Job) => job.lane === lane;
      const jobs = definedJobs().filter(isInLane);
      return createWorker(deps, { jobs, handlers: handlers.filter(({ job }) => isInLane(job)), concurrency });
    }),
    createDeliveryWorker(
      deps,
      domains.flatMap(({ channels = [] }) => channels),
    ),
  ];
  return {
    wake() {
      for (const worker of workers) worker.wake();
    },
    async start() {
      for (const worker of workers) await worker.start();
    },
    async runDue() {
      // A job of one lane may add jobs to another.
      for (let total = 0; ; ) {
        let runs = 0;
        for (const worker of workers) runs += await worker.runDue();
        if (runs === 0) return total;
        total += runs;
      }
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
