import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ApiError, createClient, runnerJobs_take } from '@mooring/contract';
import { sweepCaches } from './builds/caches.ts';
import { findDevices } from './device-tests/adapters/index.ts';
import { getFreeMb } from './files/free-space.ts';
import { removeBelow } from './files/remove-folder.ts';
import { getCacheStore, getJobsFolder } from './jobs/job-folders.ts';
import { runJob } from './jobs/run-job.ts';
import type { RunnerOptions } from './options.ts';
import { sweepCgroups } from './sandbox/cgroups.ts';
import { killOrphans } from './sandbox/orphans.ts';
import { findProgram } from './sandbox/sandbox.ts';
import { watchHiddenFolders } from './sandbox/watch-hidden-folders.ts';
import { createDeclaration } from './server/declaration.ts';
import { retry } from './server/retry.ts';
import { findTools } from './tools/tools.ts';

const FULL_DISK_WAIT_MS = 30_000;
const DEVICE_SCAN_INTERVAL_MS = 60_000;

/** The server has removed this runner. */
export class RunnerRemoved extends Error {
  override name = 'RunnerRemoved';
}

async function findDiskProblem({ folder, reserveMb }: RunnerOptions): Promise<string | undefined> {
  const free = await getFreeMb(folder);
  return free < reserveMb
    ? `The disk has only ${free} MiB free; the runner accepts no jobs below ${reserveMb} MiB.`
    : undefined;
}

/** Cleans up after a killed runner: processes first, because they could write more files. */
async function cleanUp(options: RunnerOptions): Promise<void> {
  const jobs = getJobsFolder(options.folder);
  await killOrphans(`${jobs}${path.sep}`);
  await sweepCgroups();
  await removeBelow(jobs);
  await mkdir(jobs, { recursive: true, mode: 0o700 });
  const caches = getCacheStore(options);
  if (caches) await sweepCaches(caches);
}

/** Resolves when a job ends, or when the next scan for devices is due. */
async function waitForSlot(running: ReadonlySet<Promise<void>>, signal: AbortSignal): Promise<void> {
  const freed = new AbortController();
  const timeout = setTimeout(DEVICE_SCAN_INTERVAL_MS, undefined, { signal: AbortSignal.any([freed.signal, signal]) });
  await Promise.race([...running, timeout.catch(() => undefined)]);
  freed.abort();
}

/** Claims and runs jobs until stopped. */
export async function startRunner(options: RunnerOptions): Promise<void> {
  const { state, slots, signal, log, isOnce } = options;
  const call = createClient({
    baseUrl: state.server,
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  });
  const headers = { 'x-runner-token': state.token };
  await cleanUp(options);
  const hidden = await watchHiddenFolders(options);
  const declare = createDeclaration(call, options, await findTools());
  const running = new Set<Promise<void>>();
  let devices = await findDevices(findProgram);
  let scannedAt = Date.now();
  let problem = await findDiskProblem(options);

  /** Updates the declaration if devices or free disk space have changed. */
  async function refresh(): Promise<void> {
    const currentProblem = await findDiskProblem(options);
    let currentDevices = devices;
    if (Date.now() - scannedAt >= DEVICE_SCAN_INTERVAL_MS) {
      currentDevices = await findDevices(findProgram);
      scannedAt = Date.now();
    }
    const isChanged = currentProblem !== problem || JSON.stringify(currentDevices) !== JSON.stringify(devices);
    devices = currentDevices;
    if (isChanged) await declare({ devices, problem: currentProblem });
    problem = currentProblem;
  }

  try {
    await declare({ devices, problem, isStarted: true });
    log(`${state.name} is waiting for jobs from ${state.server} (sandbox: ${options.sandbox}).`);
    while (!signal.aborted) {
      await refresh();
      if (problem !== undefined) {
        log(problem);
        await setTimeout(FULL_DISK_WAIT_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      if (running.size >= slots) {
        await waitForSlot(running, signal);
        continue;
      }
      const job = await retry(() => call(runnerJobs_take, { headers, query: {}, body: {}, signal }), signal);
      if (!job) continue;
      const run = runJob(call, job, { ...options, hidden: hidden.current() })
        .catch((error: Error) => log(`Job ${job.id} was interrupted: ${error.message}`))
        .finally(() => running.delete(run));
      running.add(run);
      if (isOnce) break;
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw new RunnerRemoved(`${state.name} was removed from ${state.server}. Register the runner again.`);
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all(running);
  }
}
