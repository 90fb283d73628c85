import type { Ctx } from '../context.ts';

/**
 * Each lane has its own worker, so that it does not wait for others: `remote` for requests to other servers, and `logs`
 * for data from devices, which must be visible within seconds even if many emails are queued.
 */
export const lanes = { own: { concurrency: 4 }, remote: { concurrency: 8 }, logs: { concurrency: 4 } } as const;
export type Lane = keyof typeof lanes;

/** A kind of job, with the type of its payload. Named `noun.verb` in the table and in the log. */
export interface Job<P extends object = object> {
  readonly name: string;
  /** Number of attempts before it becomes a dead letter. */
  readonly maxAttempts: number;
  readonly lane: Lane;
  /** Interval of a schedule. */
  readonly every?: number;
  /** Exists only as a type. */
  readonly payload?: P;
}

export interface JobHandler {
  job: Job;
  run(ctx: Ctx, payload: object): Promise<void>;
}

const defined = new Map<string, Job>();

/** All jobs of the loaded program. */
export const definedJobs = (): Job[] => [...defined.values()];

/** Checks a name, which tables and the log contain. */
export function checkName(what: 'job' | 'event', name: string, isTaken: boolean): void {
  if (!/^[a-z_]+\.[a-z_]+$/.test(name))
    throw new Error(`The ${what} name "${name}" is invalid. Use two words, such as mail.send.`);
  if (isTaken) throw new Error(`The ${what} ${name} is defined twice.`);
}

function define<J extends Job>(job: J): J {
  checkName('job', job.name, defined.has(job.name));
  defined.set(job.name, job);
  return job;
}

/** With the delays of `backOff`, 15 attempts span about seven hours. */
export const defineJob = <P extends object>(
  name: string,
  { maxAttempts = 15, lane = 'own' }: { maxAttempts?: number; lane?: Lane } = {},
): Job<P> => define({ name, maxAttempts, lane });

/** A job that repeats, once for all processes, and never becomes a dead letter. */
export const defineSchedule = (name: string, every: number): Job<Record<never, never>> =>
  define({ name, maxAttempts: Number.POSITIVE_INFINITY, lane: 'own', every });

/**
 * Connects a job with its function. A job runs at least once: its run may be interrupted, so a second one must do no
 * harm.
 */
export const handleJob = <P extends object>(job: Job<P>, run: (ctx: Ctx, payload: P) => Promise<void>): JobHandler => ({
  job,
  run: run as JobHandler['run'],
});

/** Handlers by name. Throws if a job has none, or more than one. */
export function matchHandlers(jobs: readonly Job[], handlers: readonly JobHandler[]): Map<string, JobHandler> {
  for (const { name } of jobs) {
    const count = handlers.filter(({ job }) => job.name === name).length;
    if (count !== 1) throw new Error(`Job ${name} has ${count} handlers, but needs exactly one.`);
  }
  return new Map(handlers.map((handler) => [handler.job.name, handler]));
}
