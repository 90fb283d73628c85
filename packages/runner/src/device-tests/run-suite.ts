import { findProgram } from '../sandbox/sandbox.ts';
import { toolEnvironment } from '../tools/tool-environment.ts';
import { SuiteBroken, type TestJob, type Work } from './adapters/adapter.ts';
import { getSource } from './adapters/devices.ts';
import { findFramework } from './adapters/index.ts';
import type { AppMemory } from './app-memory.ts';
import { createHostRunner, createSuiteRunner } from './suite-commands.ts';
import { checkFreeSpace, type SuiteFolders } from './suite-folders.ts';
import type { SuiteLogs } from './suite-logs.ts';
import { testEnvironment } from './test-environment.ts';
import type { TestOptions } from './test-options.ts';
import type { Report } from './test-report.ts';
import { fetchSources } from './test-sources.ts';

const MINUTE = 60_000;
const CLEANUP_TIMEOUT_MS = 5 * MINUTE;
const ENCODING_TIMEOUT_MS = 3 * MINUTE;

export interface SuiteRun {
  options: TestOptions;
  job: string;
  folders: SuiteFolders;
  logs: SuiteLogs;
  report: Report;
  appMemory: AppMemory | undefined;
  /** Aborts the suite with a `SuiteBroken` as reason. */
  failing: AbortController;
  addReport: TestJob['addReport'];
  onUnclean(): void;
}

/** Recording takes time, so a suite has to request it. */
const requestsVideo = ({ parameters }: Work): boolean => /^(true|1|yes|on)$/i.test(String(parameters.video));

/** Runs a suite with a video recording if requested. The recording ends even if the suite fails or times out. */
async function runRecorded(
  job: TestJob,
  run: (job: TestJob) => Promise<void>,
  createJob: (signal: AbortSignal) => TestJob,
  stopped: AbortSignal,
): Promise<void> {
  const { work, env, write } = job;
  if (!requestsVideo(work)) return run(job);
  const recording = await getSource(work.device.key).record?.(job, findProgram);
  if (!recording) {
    write("## No video: devices of this kind can't be recorded.\n");
    return run(job);
  }
  const { debuggingPort } = recording;
  env.MOORING_DEBUGGING_PORT = String(debuggingPort);
  try {
    await run({ ...job, debuggingPort });
  } finally {
    await recording.end(createJob(AbortSignal.any([stopped, AbortSignal.timeout(ENCODING_TIMEOUT_MS)])));
  }
}

/** Downloads a suite and runs it on its device. Throws if it can't run. */
export async function runSuite(work: Work, run: SuiteRun): Promise<void> {
  const { options, folders, report, failing, addReport, onUnclean } = run;
  const { write, signal: stopped } = options;
  const framework = findFramework(work.framework);
  write('== Files of the suite\n');
  await checkFreeSpace(options, work);
  const { suite, app: appFolder } = folders;
  const app = await fetchSources({ files: work.files, suite, app: appFolder, signal: stopped, fetch: options.fetch });
  // The time limit starts here, and excludes the time in the queue.
  const timeout = AbortSignal.timeout(work.minutes * MINUTE);
  const signal = AbortSignal.any([stopped, timeout, failing.signal]);
  const env: Record<string, string> = { ...toolEnvironment(), ...testEnvironment(work, folders, app) };
  const onExceeded = (reason: string) => failing.abort(new SuiteBroken(reason));
  const createJob = (signal: AbortSignal): TestJob => ({
    work,
    folders,
    app,
    env,
    signal,
    report,
    write,
    addReport,
    run: createSuiteRunner({ ...run, env, onExceeded }, signal),
    runOnHost: createHostRunner(signal),
  });
  const testJob = createJob(signal);
  let cleanDevice = async (_job: TestJob): Promise<void> => undefined;
  try {
    try {
      cleanDevice = (await getSource(work.device.key).watch?.(testJob, findProgram)) ?? cleanDevice;
      await framework.prepare(testJob);
      signal.throwIfAborted();
      await runRecorded(testJob, framework.run, createJob, stopped);
      signal.throwIfAborted();
    } finally {
      // With a separate signal, because cleanup also runs after the suite was stopped.
      const cleaning = { ...testJob, runOnHost: createHostRunner(AbortSignal.timeout(CLEANUP_TIMEOUT_MS)) };
      for (const clean of [framework.cleanup, cleanDevice])
        await clean(cleaning).catch((error: Error) => {
          onUnclean();
          write(`## Can't clean up the device: ${error.message}\n`);
        });
    }
  } catch (error) {
    if (stopped.aborted) throw error;
    if (timeout.aborted) throw new SuiteBroken(`Test execution timed out: it exceeded ${work.minutes} minutes.`);
    throw failing.signal.aborted ? failing.signal.reason : error;
  }
  if (report.results().length === 0) throw new SuiteBroken('The suite ran no tests.');
}
