import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdir, open, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  type Client,
  createClient,
  type jobFileKinds,
  type OutputOf,
  RUNNER_PROTOCOL,
  runnerJobs_beat,
  runnerJobs_events,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_log,
  runnerJobs_take,
  runners_declare,
  signedProtocol,
} from '@mooring/contract';
import { findDevices } from './adapters/index.ts';
import { readWork, runBuild, secretsOf } from './build-job.ts';
import { type CacheStore, sweepCaches } from './caches.ts';
import { sweepCgroups } from './cgroups.ts';
import { findCommands, readHandover, runHandover, secretsOfHandover } from './handover-job.ts';
import { findPrivateFolders, namedHiddenFolders, refuseHidden } from './hidden-folders.ts';
import { createJobLog } from './job-log.ts';
import type { Limits } from './limits.ts';
import { createMask } from './masking.ts';
import { removeBelow } from './remove-folder.ts';
import { findProgram, type Sandbox } from './sandbox.ts';
import type { RunnerState } from './state.ts';
import { endStrays } from './strays.ts';
import { readTestWork, runTests, secretsOfTests } from './test-job.ts';
import { findLabels, findTools } from './tools.ts';

export interface RunnerOptions {
  state: RunnerState;
  folder: string;
  version: string;
  sandbox: Sandbox;
  /** Of containers. */
  image?: string | undefined;
  slots: number;
  labels: readonly string[];
  /** Takes no work while the disk has less room, in MiB. */
  reserveMb: number;
  /** How much of the disk caches of builds may take, in MiB; 0: none are kept. */
  cacheMb: number;
  /** What each stage of a build may use. */
  memoryMb: number;
  processes: number;
  /** Ends after one job. */
  isOnce: boolean;
  signal: AbortSignal;
  say(line: string): void;
}

/** Options of the runner, and the folders that its jobs do not see at this time. */
type JobOptions = RunnerOptions & { hidden: readonly string[] };

type Job = NonNullable<OutputOf<typeof runnerJobs_take>>;
type JobFileKind = (typeof jobFileKinds)[number];

const jobsIn = (folder: string): string => path.join(folder, 'jobs');

const MIB = 1_048_576;
const BEAT = 15_000;
const TROUBLE = 30_000;
/** How often it looks whether a device was plugged in or taken away. */
const DEVICES = 60_000;
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

/** Room on the disk of a folder, in MiB. */
export async function freeMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / MIB);
}

async function findTrouble(folder: string, reserveMb: number): Promise<string | undefined> {
  const free = await freeMb(folder);
  return free < reserveMb ? `The disk has ${free} MiB left; it takes no work below ${reserveMb} MiB.` : undefined;
}

interface Sent {
  name: string;
  kind: JobFileKind;
  size: number;
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

async function sendParts(call: Client, job: Job, { name, kind, size, read }: Sent, signal: AbortSignal): Promise<void> {
  const params = { job_id: job.id, upload_id: randomUUID() };
  let received = 0;
  do {
    const end = Math.min(received + PART, size);
    const range = size > PART ? { 'content-range': `bytes ${received}-${end - 1}/${size}` } : {};
    const headers = { 'x-job-token': job.token, ...range };
    const file = new Blob([await read(received, end)], { type: 'application/octet-stream' });
    const answer = await persist(() => call(runnerJobs_file, { params, query: { name, kind }, headers, file }), signal);
    if (answer.received <= received) throw new Error(`${name} could not be sent.`);
    received = answer.received;
  } while (received < size);
}

/** NOTE: not by `openAsBlob`, which knows the size of a file only up to 4 GiB and would send the rest of the division. */
async function sendFile(
  call: Client,
  job: Job,
  { name, kind, file }: { name: string; kind: JobFileKind; file: string },
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (from: number, to: number) => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(to - from), 0, to - from, from);
      return buffer.subarray(0, bytesRead);
    };
    await sendParts(call, job, { name, kind, size, read }, signal);
  } finally {
    await handle.close();
  }
}

/** A file that the job names, as it comes. */
async function fetchSource(
  server: string,
  job: Job,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const url = `${server}/v0.1/runner/jobs/${encodeURIComponent(job.id)}/sources/${encodeURIComponent(id)}`;
  const answer = await persist(async () => {
    const response = await fetch(url, { headers: { 'x-job-token': job.token }, redirect: 'manual', signal });
    if (response.status >= 500) throw new Error(`The server answered ${response.status}.`);
    return response;
  }, signal);
  if (!answer.ok || !answer.body) throw new Error(`The server has no file ${id} of this job (${answer.status}).`);
  return answer.body;
}

interface Outcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
  found?: object;
  /** The device, or what drives it, could not do it. */
  isDeviceBroken?: boolean;
}

/** What a job needs of the runner while it is done. */
interface Doing {
  signal: AbortSignal;
  write(text: string): void;
  onLost(): void;
}

/** What there is to do, in words and as a function; what is no such job is refused when it is read. */
interface Reading {
  title: string;
  secrets: string[];
  run(doing: Doing): Promise<Outcome>;
}

const cachesIn = ({ folder, cacheMb }: Pick<RunnerOptions, 'folder' | 'cacheMb'>): CacheStore | undefined =>
  cacheMb > 0 ? { folder: path.join(folder, 'caches'), maxBytes: cacheMb * MIB } : undefined;

/** A quarter of what must be free for work to be taken is left at any time. */
const limitsOf = (
  { folder, memoryMb, processes, reserveMb }: RunnerOptions,
  what: Limits['what'] = 'stage',
): Limits => ({
  what,
  memoryBytes: memoryMb * MIB,
  processes,
  disk: { folder, leaveBytes: (reserveMb * MIB) / 4 },
});

function readBuild(call: Client, job: Job, options: JobOptions): Reading {
  const { folder, sandbox, image } = options;
  const work = readWork(job.work);
  return {
    title: `Build ${work.build.id} of ${work.app.owner}/${work.app.name}, branch ${work.build.branch}`,
    secrets: secretsOf(work),
    run: ({ signal, write }) =>
      runBuild(work, {
        folder: jobsIn(folder),
        sandbox,
        image,
        hidden: options.hidden,
        limits: limitsOf(options),
        caches: cachesIn(options),
        signal,
        write,
        keep: ({ name, kind, file }) => sendFile(call, job, { name, kind, file }, signal),
      }),
  };
}

function readTest(call: Client, job: Job, options: JobOptions): Reading {
  const { folder, sandbox, image, state } = options;
  const work = readTestWork(job.work);
  const secrets = secretsOfTests(work);
  const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token } };
  return {
    title: `Tests ${work.run.id} of ${work.app.owner}/${work.app.name} on ${work.device.name}`,
    secrets,
    run: ({ signal, write, onLost }) =>
      runTests(work, {
        folder: jobsIn(folder),
        sandbox,
        image,
        hidden: options.hidden,
        limits: limitsOf(options, 'suite'),
        signal,
        write,
        onLost,
        mask: createMask(secrets),
        fetch: (id) => fetchSource(state.server, job, id, signal),
        send: async (from, events) => (await call(runnerJobs_events, { ...input, body: { from, events } })).count,
        async keep({ name, kind, content }) {
          try {
            // Also of a run that was stopped: what it has shown so far is wanted all the same.
            const bytes = new Uint8Array(content);
            const read = async (from: number, to: number) => bytes.subarray(from, to);
            await sendParts(call, job, { name, kind, size: bytes.length, read }, AbortSignal.timeout(120_000));
            return true;
          } catch (error) {
            write(`## ${name} is not kept: ${(error as Error).message}\n`);
            return false;
          }
        },
      }),
  };
}

function readHandedOver(call: Client, job: Job, options: JobOptions): Reading {
  const { folder, state } = options;
  const work = readHandover(job.work);
  const { app, release } = work.facts;
  return {
    title: `${work.what}: release ${release.id} of ${app.owner}/${app.name}`,
    secrets: secretsOfHandover(work),
    run: ({ signal, write }) =>
      runHandover(work, {
        folder: jobsIn(folder),
        command: findCommands(process.env).get(work.what),
        limits: limitsOf(options),
        signal,
        write,
        fetch: (id) => fetchSource(state.server, job, id, signal),
        keep: ({ name, file }) => sendFile(call, job, { name, kind: 'build', file }, signal),
      }),
  };
}

const readers = { build: readBuild, test: readTest, handover: readHandedOver };

/** Does one job, whatever happens, and tells how it went. */
async function doJob(call: Client, job: Job, options: JobOptions): Promise<void> {
  const { signal: stopping, say } = options;
  const params = { job_id: job.id };
  const headers = { 'x-job-token': job.token };
  const lost = new AbortController();
  const cancelled = new AbortController();
  let work: Reading;
  try {
    work = readers[job.kind](call, job, options);
  } catch {
    const reason = `The runner ${options.state.name} does not understand this job; it is older than the server.`;
    say(reason);
    await finish(call, job, { result: 'failed', reason });
    return;
  }
  const log = createJobLog({
    offset: job.log_offset,
    mask: createMask(work.secrets),
    onLost: () => lost.abort(),
    stopping,
    send: async (offset, body) => {
      const { size, is_full } = await call(runnerJobs_log, { params, headers, query: { offset }, body });
      return { size, isFull: is_full };
    },
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
  say(`${work.title}.`);
  try {
    const outcome = await work.run({ signal, write: log.write, onLost: () => lost.abort() });
    if (cancelled.signal.aborted) log.write('\n## It was cancelled.\n');
    await log.end();
    // Of a runner that is stopped, the job goes to another one when its lease has ended.
    if (!lost.signal.aborted && !(stopping.aborted && !cancelled.signal.aborted)) await finish(call, job, outcome);
    say(
      `${work.title}: ${lost.signal.aborted ? 'It went to another runner.' : (outcome.reason ?? `${outcome.result}.`)}`,
    );
  } finally {
    clearInterval(beating);
  }
}

const finish = (call: Client, job: Job, { result, reason, found, isDeviceBroken }: Outcome): Promise<unknown> => {
  const body = {
    result,
    ...(reason ? { reason } : {}),
    ...(found ? { found: { ...found } } : {}),
    ...(isDeviceBroken ? { is_device_broken: true } : {}),
  };
  const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token }, body };
  return persist(() => call(runnerJobs_finish, input), AbortSignal.timeout(120_000)).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  });
};

const SCAN_INTERVAL_MS = 10 * 60_000;

/** Looks for private folders at the start and every ten minutes, so that no job waits for it. */
async function hideFolders({ folder, sandbox, signal, say }: RunnerOptions): Promise<{ current(): readonly string[] }> {
  const named = [folder, ...namedHiddenFolders(process.env)];
  if (sandbox !== 'bubblewrap') return { current: () => named };
  const refusal = refuseHidden(named);
  if (refusal !== undefined) throw new Error(refusal);
  let found = await findPrivateFolders();
  for (const place of found.filter((one) => !named.includes(one))) say(`Jobs do not see ${place}: it is private.`);
  const scan = async () => {
    found = await findPrivateFolders();
  };
  const timer = setInterval(() => void scan().catch(() => undefined), SCAN_INTERVAL_MS).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return { current: () => [...named, ...found] };
}

/** Asks for jobs and does them until it is stopped. */
export async function startRunner(options: RunnerOptions): Promise<void> {
  const { state, folder, slots, reserveMb, signal, say, isOnce } = options;
  const call = createClient({
    baseUrl: state.server,
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  });
  const headers = { 'x-runner-token': state.token };
  // What a runner that was killed left behind: processes first, which might make more.
  await endStrays(`${jobsIn(folder)}${path.sep}`);
  await sweepCgroups();
  await removeBelow(jobsIn(folder));
  await mkdir(jobsIn(folder), { recursive: true, mode: 0o700 });
  const caches = cachesIn(options);
  if (caches) await sweepCaches(caches);
  const hiding = await hideFolders(options);
  const tools = await findTools();
  const key = createHash('sha256').update(state.token).digest('base64url');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const declare = async (trouble: string | undefined, isStarted = false) => {
    const labels = [...new Set([...findLabels(), ...options.labels])];
    const body = {
      signature: sign(signedProtocol('runner', { protocol: RUNNER_PROTOCOL, about: options.version })),
      protocol: RUNNER_PROTOCOL,
      version: options.version,
      labels,
      tools,
      slots,
      devices,
      ...(isStarted ? { is_started: true } : {}),
      ...(trouble ? { trouble } : {}),
    };
    const answer = await persist(() => call(runners_declare, { headers, body }), signal);
    const expected = sign(signedProtocol('server', { protocol: answer.protocol ?? 0, about: state.id }));
    if (answer.signature !== expected) {
      throw new Error(
        `${state.server} does not sign what it speaks with the token of this runner; it may be another server.`,
      );
    }
  };
  const running = new Set<Promise<void>>();
  let devices = await findDevices(findProgram);
  let looked = Date.now();
  let trouble = await findTrouble(folder, reserveMb);
  try {
    await declare(trouble, true);
    say(`${state.name} waits for work of ${state.server}, sandbox ${options.sandbox}.`);
    while (!signal.aborted) {
      const now = await findTrouble(folder, reserveMb);
      const there = Date.now() - looked < DEVICES ? devices : await findDevices(findProgram);
      if (there !== devices) looked = Date.now();
      const isChanged = now !== trouble || JSON.stringify(there) !== JSON.stringify(devices);
      devices = there;
      if (isChanged) await declare(now);
      trouble = now;
      if (trouble !== undefined) {
        say(trouble);
        await setTimeout(TROUBLE, undefined, { signal }).catch(() => undefined);
        continue;
      }
      if (running.size >= slots) {
        const isFree = new AbortController();
        const waited = setTimeout(DEVICES, undefined, { signal: AbortSignal.any([isFree.signal, signal]) });
        await Promise.race([...running, waited.catch(() => undefined)]);
        isFree.abort();
        continue;
      }
      const job = await persist(() => call(runnerJobs_take, { headers, query: {}, body: {}, signal }), signal);
      if (!job) continue;
      const doing = doJob(call, job, { ...options, hidden: hiding.current() })
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
