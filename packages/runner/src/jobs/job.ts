import type { EndpointOutput, runnerJobs_take } from '@mooring/contract';
import type { RunnerOptions } from '../options.ts';

export type Job = NonNullable<EndpointOutput<typeof runnerJobs_take>>;

/** Options of the runner, and folders that jobs must not see. */
export type JobOptions = RunnerOptions & { hidden: readonly string[] };

export interface JobOutcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
  /** Result for the runner's output, if it says more than the job's result. */
  summary?: string;
  found?: object;
  /** The device, or the program that drives it, failed. */
  isDeviceBroken?: boolean;
}

/** Passed to a running job. */
export interface JobContext {
  signal: AbortSignal;
  write(text: string): void;
  onLost(): void;
}

/** A parsed job, ready to run. */
export interface PreparedJob {
  title: string;
  secrets: string[];
  run(context: JobContext): Promise<JobOutcome>;
}
