import type { Ctx } from '../context.ts';

/**
 * Work of one lane is done by a worker of its own, so that it waits for no other: `remote` waits for machines of others, and
 * `logs` is what came from devices, which people want to see within seconds, however many mails are to be written.
 */
export const lanes = { own: { concurrency: 4 }, remote: { concurrency: 8 }, logs: { concurrency: 4 } } as const;
export type Lane = keyof typeof lanes;

/** A kind of work, and what it is told. `noun.verb` names it in the table and in the log. */
export interface Job<P extends object = object> {
  readonly name: string;
  /** How often it is tried before it becomes a dead letter. */
  readonly maxAttempts: number;
  readonly lane: Lane;
  /** Set for a schedule: how long after its last run it runs again. */
  readonly every?: number;
  /** Only a type: what a payload looks like. */
  readonly payload?: P;
}

export interface JobHandler {
  job: Job;
  run(ctx: Ctx, payload: object): Promise<void>;
}

const defined = new Map<string, Job>();

/** Every kind of job that the loaded program can enqueue. */
export const definedJobs = (): Job[] => [...defined.values()];

/** Names stand in tables and in the log. */
export function checkName(what: 'job' | 'event', name: string, isTaken: boolean): void {
  if (!/^[a-z_]+\.[a-z_]+$/.test(name))
    throw new Error(`The ${what} "${name}" has no name of two words, as mail.send.`);
  if (isTaken) throw new Error(`The ${what} ${name} is defined twice.`);
}

function define<J extends Job>(job: J): J {
  checkName('job', job.name, defined.has(job.name));
  defined.set(job.name, job);
  return job;
}

/** With the waits of `backOff`, 15 attempts span about seven hours. */
export const defineJob = <P extends object>(
  name: string,
  { maxAttempts = 15, lane = 'own' }: { maxAttempts?: number; lane?: Lane } = {},
): Job<P> => define({ name, maxAttempts, lane });

/** Work that nobody asks for: it runs again and again, once for all processes, and is never given up. */
export const defineSchedule = (name: string, every: number): Job<Record<never, never>> =>
  define({ name, maxAttempts: Number.POSITIVE_INFINITY, lane: 'own', every });

/**
 * Joins a job with the function that does it. A job runs at least once: it may have been cut off before its end, so a
 * second run must do no harm.
 */
export const handleJob = <P extends object>(job: Job<P>, run: (ctx: Ctx, payload: P) => Promise<void>): JobHandler => ({
  job,
  run: run as JobHandler['run'],
});

/** Handlers by name. Refuses when a job has none, or more than one. */
export function matchHandlers(jobs: readonly Job[], handlers: readonly JobHandler[]): Map<string, JobHandler> {
  for (const { name } of jobs) {
    const count = handlers.filter(({ job }) => job.name === name).length;
    if (count !== 1) throw new Error(`The job ${name} has ${count} handlers; it needs exactly one.`);
  }
  return new Map(handlers.map((handler) => [handler.job.name, handler]));
}
