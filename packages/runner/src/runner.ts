import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  type Client,
  createClient,
  type OutputOf,
  RUNNER_PROTOCOL,
  runnerJobs_beat,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_log,
  runnerJobs_take,
  runners_declare,
} from '@mooring/contract';
import type { Artifact } from './artifacts.ts';
import { type BuildOutcome, readWork, runBuild, secretsOf } from './build-job.ts';
import { createJobLog } from './job-log.ts';
import { createMask } from './masking.ts';
import type { Sandbox } from './sandbox.ts';
import type { RunnerState } from './state.ts';
import { findLabels, findTools } from './tools.ts';

export interface RunnerOptions {
  state: RunnerState;
  folder: string;
  version: string;
  sandbox: Sandbox;
  slots: number;
  labels: readonly string[];
  /** Takes no work while the disk has less room, in MiB. */
  reserveMb: number;
  /** Ends after one job. */
  isOnce: boolean;
  signal: AbortSignal;
  say(line: string): void;
}

type Job = NonNullable<OutputOf<typeof runnerJobs_take>>;

const MIB = 1_048_576;
const BEAT = 15_000;
const TROUBLE = 30_000;
/** Parts of a file: little is sent again after a failure. */
const PART = 16 * MIB;

/** The server does not know this runner any more. */
export class RunnerRemoved extends Error {
  override name = 'RunnerRemoved';
}

/** Again and again until it is answered, or there is no use in asking. */
async function persist<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
    try {
      return await ask();
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isFinal || signal.aborted) throw error;
      await setTimeout(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function findTrouble(folder: string, reserveMb: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  return free < reserveMb ? `The disk has ${free} MiB left; it takes no work below ${reserveMb} MiB.` : undefined;
}

async function sendFile(call: Client, job: Job, { file, name, kind }: Artifact, signal: AbortSignal): Promise<void> {
  const blob = await openAsBlob(file);
  const params = { job_id: job.id, upload_id: randomUUID() };
  let received = 0;
  do {
    const end = Math.min(received + PART, blob.size);
    const range = blob.size > PART ? { 'content-range': `bytes ${received}-${end - 1}/${blob.size}` } : {};
    const headers = { 'x-job-token': job.token, ...range };
    const part = blob.slice(received, end, 'application/octet-stream');
    const answer = await persist(
      () => call(runnerJobs_file, { params, query: { name, kind }, headers, file: part }),
      signal,
    );
    if (answer.received <= received) throw new Error(`${name} could not be sent.`);
    received = answer.received;
  } while (received < blob.size);
}

/** Does one job, whatever happens, and tells how it went. */
async function doJob(call: Client, job: Job, { folder, sandbox, signal: stopping, say }: RunnerOptions): Promise<void> {
  const params = { job_id: job.id };
  const headers = { 'x-job-token': job.token };
  const lost = new AbortController();
  const cancelled = new AbortController();
  const work = readWork(job.work);
  const log = createJobLog({
    offset: job.log_offset,
    mask: createMask(secretsOf(work)),
    onLost: () => lost.abort(),
    send: async (offset, body) => (await call(runnerJobs_log, { params, headers, query: { offset }, body })).size,
  });
  const beat = async () => {
    try {
      const { cancel } = await call(runnerJobs_beat, { params, headers, body: {} });
      if (cancel) cancelled.abort();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) lost.abort();
    }
  };
  const beating = setInterval(beat, Math.min(BEAT, (job.lease_seconds * 1000) / 4));
  const signal = AbortSignal.any([lost.signal, cancelled.signal, stopping]);
  say(`Build ${work.build.id} of ${work.app.owner}/${work.app.name}, branch ${work.build.branch}.`);
  try {
    const outcome = await runBuild(work, {
      folder: path.join(folder, 'jobs'),
      sandbox,
      signal,
      write: log.write,
      keep: async (artifact) => {
        if (artifact.file) await sendFile(call, job, artifact, signal);
      },
    });
    if (cancelled.signal.aborted) log.write('\n## It was cancelled.\n');
    await log.end();
    // Of a runner that is stopped, the job goes to another one when its lease has ended.
    if (!lost.signal.aborted && !(stopping.aborted && !cancelled.signal.aborted)) await finish(call, job, outcome);
    say(
      `Build ${work.build.id}: ${lost.signal.aborted ? 'It went to another runner.' : (outcome.reason ?? `${outcome.result}.`)}`,
    );
  } finally {
    clearInterval(beating);
  }
}

const finish = (call: Client, job: Job, { result, reason, found }: BuildOutcome): Promise<unknown> => {
  const body = { result, ...(reason ? { reason } : {}), ...(found ? { found: { ...found } } : {}) };
  const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token }, body };
  return persist(() => call(runnerJobs_finish, input), AbortSignal.timeout(120_000)).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  });
};

/** Asks for jobs and does them until it is stopped. */
export async function startRunner(options: RunnerOptions): Promise<void> {
  const { state, folder, slots, reserveMb, signal, say, isOnce } = options;
  const call = createClient({
    baseUrl: state.server,
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  });
  const headers = { 'x-runner-token': state.token };
  // What a runner that was killed left behind.
  await rm(path.join(folder, 'jobs'), { recursive: true, force: true });
  await mkdir(path.join(folder, 'jobs'), { recursive: true, mode: 0o700 });
  const tools = await findTools();
  const declare = (trouble: string | undefined) => {
    const labels = [...new Set([...findLabels(), ...options.labels])];
    const body = {
      protocol: RUNNER_PROTOCOL,
      version: options.version,
      labels,
      tools,
      slots,
      ...(trouble ? { trouble } : {}),
    };
    return persist(() => call(runners_declare, { headers, body }), signal);
  };
  const running = new Set<Promise<void>>();
  let trouble = await findTrouble(folder, reserveMb);
  try {
    await declare(trouble);
    say(`${state.name} waits for work of ${state.server}, sandbox ${options.sandbox}.`);
    while (!signal.aborted) {
      const now = await findTrouble(folder, reserveMb);
      if (now !== trouble) await declare(now);
      trouble = now;
      if (trouble !== undefined) {
        say(trouble);
        await setTimeout(TROUBLE, undefined, { signal }).catch(() => undefined);
        continue;
      }
      if (running.size >= slots) {
        await Promise.race(running);
        continue;
      }
      const job = await persist(() => call(runnerJobs_take, { headers, query: {}, body: {}, signal }), signal);
      if (!job) continue;
      const doing = doJob(call, job, options)
        .catch((error: Error) => say(`The job ${job.id} broke off: ${error.message}`))
        .finally(() => running.delete(doing));
      running.add(doing);
      if (isOnce) break;
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw new RunnerRemoved(`${state.name} is no longer a runner of ${state.server}.`);
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all(running);
  }
}
