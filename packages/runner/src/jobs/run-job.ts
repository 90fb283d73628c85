import { ApiError, type Client, runnerJobs_beat, runnerJobs_finish, runnerJobs_log } from '@mooring/contract';
import { createJobLog } from '../server/job-log.ts';
import { createMask } from '../server/masking.ts';
import { retry } from '../server/retry.ts';
import type { Job, JobOptions, JobOutcome, PreparedJob } from './job.ts';
import { prepareJob } from './prepare-job.ts';

const MAX_BEAT_INTERVAL_MS = 15_000;
const FINISH_TIMEOUT_MS = 120_000;

const isLostJob = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

async function finishJob(call: Client, job: Job, { result, reason, found, isDeviceBroken }: JobOutcome): Promise<void> {
  const body = {
    result,
    ...(reason ? { reason } : {}),
    ...(found ? { found: { ...found } } : {}),
    ...(isDeviceBroken ? { is_device_broken: true } : {}),
  };
  const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token }, body };
  try {
    await retry(() => call(runnerJobs_finish, input), AbortSignal.timeout(FINISH_TIMEOUT_MS));
  } catch (error) {
    if (!isLostJob(error)) throw error;
  }
}

/** Renews the lease of a job; returns a function that stops it. */
function startBeating(call: Client, job: Job, on: { cancel(): void; lost(): void }): () => void {
  const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token }, body: {} };
  const beat = async () => {
    try {
      const { cancel } = await call(runnerJobs_beat, input);
      if (cancel) on.cancel();
    } catch (error) {
      if (isLostJob(error)) on.lost();
    }
  };
  const timer = setInterval(beat, Math.min(MAX_BEAT_INTERVAL_MS, (job.lease_seconds * 1000) / 4));
  return () => clearInterval(timer);
}

/** Runs one job and reports its outcome, even if it fails. */
export async function runJob(call: Client, job: Job, options: JobOptions): Promise<void> {
  const { signal: stopping, log: logLine } = options;
  let prepared: PreparedJob;
  try {
    prepared = prepareJob(call, job, options);
  } catch {
    const reason = `The runner ${options.state.name} is older than the server and doesn't support this job. Update the runner.`;
    logLine(reason);
    await finishJob(call, job, { result: 'failed', reason });
    return;
  }
  const lost = new AbortController();
  const canceled = new AbortController();
  const log = createJobLog({
    offset: job.log_offset,
    mask: createMask(prepared.secrets),
    onLost: () => lost.abort(),
    stopping,
    send: async (offset, body) => {
      const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token }, query: { offset }, body };
      const { size, is_full } = await call(runnerJobs_log, input);
      return { size, isFull: is_full };
    },
  });
  const stopBeating = startBeating(call, job, { cancel: () => canceled.abort(), lost: () => lost.abort() });
  const signal = AbortSignal.any([lost.signal, canceled.signal, stopping]);
  logLine(`Started: ${prepared.title}.`);
  try {
    const outcome = await prepared.run({ signal, write: log.write, onLost: () => lost.abort() });
    if (canceled.signal.aborted) log.write('\n## The job was canceled.\n');
    await log.end();
    // The job of a stopped runner goes to another runner when its lease expires.
    if (!lost.signal.aborted && !(stopping.aborted && !canceled.signal.aborted)) await finishJob(call, job, outcome);
    const summary = lost.signal.aborted
      ? 'The server assigned it to another runner.'
      : (outcome.reason ?? outcome.summary ?? `${outcome.result}.`);
    logLine(`${prepared.title}: ${summary}`);
  } finally {
    stopBeating();
  }
}
