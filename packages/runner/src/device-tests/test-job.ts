import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { TestWork } from '@mooring/contract';
import { Value } from 'typebox/value';
import { removeFolder } from '../files/remove-folder.ts';
import { DeviceBroken, SuiteBroken, type Work } from './adapters/adapter.ts';
import { findSource } from './adapters/devices.ts';
import { watchAppMemory } from './app-memory.ts';
import { buildReports, createReportCollector } from './junit-reports.ts';
import { runSuite } from './run-suite.ts';
import { createScreenshotUploader } from './screenshots.ts';
import { createFolders } from './suite-folders.ts';
import { createSuiteLogs } from './suite-logs.ts';
import { readVariables } from './test-environment.ts';
import { createEventQueue } from './test-events.ts';
import type { TestOptions, TestOutcome } from './test-options.ts';
import { createReport, type Report } from './test-report.ts';
import { findVideos } from './videos.ts';

const MINUTE = 60_000;
const MAX_TEST_MS = 30 * MINUTE;
const OVERDUE_CHECK_INTERVAL_MS = MINUTE / 4;

export const parseTestWork = (work: unknown): Work => Value.Parse(TestWork, work);

/** Secrets among the test variables, as clients have no other way to pass passwords. */
export const listTestSecrets = ({ parameters }: Work): string[] =>
  Object.entries(readVariables(parameters.test_env)).flatMap(([name, value]) =>
    /(password|pwd|secret|token|key)$/i.test(name) && value !== '' ? [value] : [],
  );

/** Watches for tests that exceed the time limit. Returns a function that stops watching. */
function watchTests(report: Report, onOverdue: (reason: string) => void): () => void {
  const timer = setInterval(() => {
    const overdue = report.running().find(({ since }) => Date.now() - since > MAX_TEST_MS);
    if (overdue) onOverdue(`${overdue.suite} ${overdue.test}: test exceeded ${MAX_TEST_MS}ms`);
  }, OVERDUE_CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** "18 passed, 2 failed." */
function countTests(tests: ReturnType<Report['results']>): string {
  const counts = (['passed', 'failed', 'skipped'] as const).map((status) => ({
    status,
    count: tests.filter((test) => test.status === status).length,
  }));
  return `${counts
    .filter(({ status, count }) => status === 'passed' || count > 0)
    .map(({ status, count }) => `${count} ${status}`)
    .join(', ')}.`;
}

/** Closes the report of a failed suite. */
function toFailure(error: Error, report: Report, write: TestOptions['write']): TestOutcome {
  const isExpected = error instanceof SuiteBroken || error instanceof DeviceBroken;
  const reason = isExpected ? error.message : `The runner failed: ${error.message}`;
  const isDeviceBroken = !(error instanceof SuiteBroken);
  report.close(reason);
  if (isDeviceBroken) report.deviceFailed(reason);
  write(`\n## ${reason}\n`);
  return { result: 'failed', reason: reason.slice(0, 1000), ...(isDeviceBroken ? { isDeviceBroken } : {}) };
}

/** Runs a suite on a device, in a folder that is removed afterwards. */
export async function runTests(work: Work, options: TestOptions): Promise<TestOutcome> {
  const { write, upload, send, onLost, signal: stopped } = options;
  const job = await mkdtemp(path.join(options.folder, 'job-'));
  const folders = await createFolders(job);
  const mask = (text: string) => text.split('\n').map(options.mask).join('\n');
  const logs = createSuiteLogs(folders.logs, mask);
  const collector = createReportCollector(write);
  const uploadScreenshot = createScreenshotUploader(folders.box, options);
  const events = createEventQueue({ send, uploadScreenshot, onLost });
  const failing = new AbortController();
  const fail = (reason: string) => failing.abort(new SuiteBroken(reason));
  const isApp = findSource(work.device.key)?.isApp;
  const appMemory = isApp && watchAppMemory(isApp);
  const report = createReport({
    publish: events.add,
    mask,
    onTooMuch: fail,
    memorySince: (then) => appMemory?.getMax(then),
  });
  const stopWatching = watchTests(report, fail);
  let isUnclean = false;
  const onUnclean = () => {
    isUnclean = true;
  };
  try {
    const run = { options, job, folders, logs, report, appMemory, failing, addReport: collector.add, onUnclean };
    const outcome = await runSuite(work, run).then(
      (): TestOutcome => ({ result: 'succeeded' }),
      (error: Error): TestOutcome => (stopped.aborted ? { result: 'canceled' } : toFailure(error, report, write)),
    );
    report.close(outcome.result === 'canceled' ? 'The test run was stopped.' : 'The suite ended during this test.');
    await events.end();
    const { reports } = collector;
    for (const { name, xml } of reports.length > 0 ? reports : buildReports(report.results(), work.framework))
      await upload({ kind: 'junit-xml', name, content: Buffer.from(mask(xml)) });
    for await (const video of findVideos(folders, write)) await upload({ kind: 'video', ...video });
    for (const log of await logs.end()) await upload(log);
    return {
      ...outcome,
      ...(outcome.result === 'succeeded' ? { summary: countTests(report.results()) } : {}),
      ...(isUnclean ? { isDeviceBroken: true } : {}),
    };
  } finally {
    stopWatching();
    appMemory?.stop();
    await removeFolder(job);
  }
}
