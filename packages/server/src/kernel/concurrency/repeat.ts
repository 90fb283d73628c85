import type { Log } from '../log.ts';

export interface RepeatedTask {
  /** Name in the log. */
  task: string;
  intervalMs: number;
  run(): Promise<void>;
}

/**
 * Repeats a task in this process until it is stopped; failures are logged. Schedules of `jobs/` run once for all
 * processes.
 */
export function repeat(log: Log, { task, intervalMs, run }: RepeatedTask): () => Promise<void> {
  const attempt = () => run().catch((err: unknown) => log.error({ err }, `failed to ${task}`));
  const timer = setInterval(attempt, intervalMs).unref();
  return async () => clearInterval(timer);
}
