import { defineJob, type Job } from '../../../jobs/index.ts';

/** A domain that takes logs of some types, batch by batch, in the order in which they came. */
export interface LogConsumer {
  readonly name: string;
  readonly types: ReadonlySet<string>;
  /** Runs a few seconds after something came for an app, and again while something keeps coming. */
  readonly job: Job<{ appId: string }>;
}

const defined = new Map<string, LogConsumer>();

/** Everybody who takes logs in the loaded program. A batch is kept until all of them have done with it. */
export const definedConsumers = (): readonly LogConsumer[] => [...defined.values()];

/**
 * Declares that a domain takes logs of these types. Its job, `noun.verb`, is told that there is news of an app; it reads with
 * `readBatches` and calls `passBatches` in the transaction in which it keeps what it made of them.
 */
export function defineLogConsumer(
  name: string,
  { types, job }: { types: readonly string[]; job: string },
): LogConsumer {
  if (defined.has(name)) throw new Error(`The consumer of logs ${name} is defined twice.`);
  const consumer: LogConsumer = { name, types: new Set(types), job: defineJob(job, { lane: 'logs' }) };
  defined.set(name, consumer);
  return consumer;
}
