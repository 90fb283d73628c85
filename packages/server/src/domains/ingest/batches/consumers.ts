import { defineJob, type Job } from '../../../jobs/index.ts';

/** A domain that processes logs of some types, batch by batch, in order of arrival. */
export interface LogConsumer {
  readonly name: string;
  readonly types: ReadonlySet<string>;
  /** Runs a few seconds after logs arrive for an app, and repeatedly while more arrive. */
  readonly job: Job<{ appId: string }>;
}

const defined = new Map<string, LogConsumer>();

/** All consumers in the loaded program. A batch is stored until all of them have processed it. */
export const definedConsumers = (): readonly LogConsumer[] => [...defined.values()];

/**
 * Declares a consumer of logs of these types. Its job, `noun.verb`, is enqueued when logs of an app arrive; it reads with
 * `readBatches` and calls `passBatches` in the transaction that stores its results.
 */
export function defineLogConsumer(
  name: string,
  { types, job }: { types: readonly string[]; job: string },
): LogConsumer {
  if (defined.has(name)) throw new Error(`The log consumer ${name} is defined twice.`);
  const consumer: LogConsumer = { name, types: new Set(types), job: defineJob(job, { lane: 'logs' }) };
  defined.set(name, consumer);
  return consumer;
}
