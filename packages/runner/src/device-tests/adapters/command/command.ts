import { hash } from 'node:crypto';
import path from 'node:path';
import { type JunitCase, readJunitXml, withoutProperties, XmlBroken } from '@mooring/contract';
import { readInside } from '../../../files/read-inside.ts';
import { findProgram } from '../../../sandbox/sandbox.ts';
import { type EndedTest, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { missingAppiumTools, withAppium } from '../appium/server.ts';
import { listFiles } from '../appium/test-classes.ts';
import { getSource } from '../devices.ts';
import { createLabelReader } from '../labels.ts';

const MAX_REPORT_BYTES = 20 * 1_048_576;
const MAX_REPORTS = 500;
const defaultPatterns = ['**/TEST-*.xml', '**/junit*.xml', '**/*junit.xml'];

const toTexts = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');

/** Finds all XML files in the output folder, and matching files in the suite. */
async function findReports({ folders, work }: TestJob): Promise<string[]> {
  const requested = toTexts(work.parameters.reports);
  const patterns = requested.length > 0 ? requested : defaultPatterns;
  const inOutput = (await listFiles(folders.output)).filter((file) => file.endsWith('.xml'));
  const inSuite = (await listFiles(folders.suite)).filter(
    (file) =>
      !file.includes('node_modules/') &&
      patterns.some((pattern) => path.matchesGlob(file, path.posix.normalize(pattern))),
  );
  return [
    ...inOutput.map((file) => path.join(folders.output, file)),
    ...inSuite.map((file) => path.join(folders.suite, file)),
  ].slice(0, MAX_REPORTS);
}

/** Reports tests from a JUnit report, except those reported while they ran. */
function reportCases(job: TestJob, cases: readonly JunitCase[], reportedCounts: Map<string, number>): void {
  for (const { attachments, ...one } of cases) {
    const key = `${one.suite}\n${one.test}`;
    const isReported = (reportedCounts.get(key) ?? 0) > 0;
    if (isReported) {
      reportedCounts.set(key, (reportedCounts.get(key) ?? 0) - 1);
      continue;
    }
    job.report.started(one.suite, one.test);
    for (const file of attachments) {
      const screenshot = path.resolve(job.folders.suite, file);
      job.report.step({ suite: one.suite, test: one.test, label: path.parse(file).name, screenshot });
    }
    job.report.ended(one);
  }
}

async function runCommand(job: TestJob, env: Record<string, string>, signal?: AbortSignal): Promise<void> {
  const { folders, report, work } = job;
  const [command = ''] = toTexts(work.parameters.command);
  const reportedCounts = new Map<string, number>();
  const failed: { suite: string; test: string; status: EndedTest['status'] }[] = [];
  const labels = createLabelReader(folders.screenshots, report, (test) => {
    // The JUnit report has the message of the failure.
    if (test.status === 'failed') failed.push(test);
    else {
      const key = `${test.suite}\n${test.test}`;
      reportedCounts.set(key, (reportedCounts.get(key) ?? 0) + 1);
      report.ended(test);
    }
  });
  const code = await job.run({
    title: `Command: ${command.split('\n')[0]?.slice(0, 60)}`,
    command: ['bash', '-e', '-c', command],
    env: { ...env, ...(work.only ? { MOORING_ONLY: work.only.join('\n') } : {}) },
    ...(signal ? { signal } : {}),
    onLine: (line) => {
      labels.read(line);
      return true;
    },
  });
  if (job.signal.aborted || signal?.aborted) return;
  let hasFailures = failed.length > 0;
  const uploaded = new Set(work.files.map(({ sha256 }) => sha256.toLowerCase()));
  for (const file of await findReports(job)) {
    if (job.signal.aborted) return;
    const name = path.basename(file);
    const content = await readInside(folders.box, file, MAX_REPORT_BYTES);
    if (!content) {
      job.write(`## Skipped ${name}: it is too large, or not a file of the suite.\n`);
      continue;
    }
    // A report that was uploaded with the suite belongs to another run.
    if (file.startsWith(folders.suite) && uploaded.has(hash('sha256', content))) continue;
    const xml = content.toString('utf8');
    try {
      const cases = readJunitXml(xml);
      if (cases.length === 0) continue;
      hasFailures ||= cases.some(({ status }) => status === 'failed');
      reportCases(job, cases, reportedCounts);
      job.addReport(name, withoutProperties(xml));
    } catch (error) {
      if (!(error instanceof XmlBroken)) throw error;
      throw new SuiteBroken(`Can't read the report ${name}: ${error.message}.`);
    }
  }
  for (const test of failed)
    if (report.running().some((one) => one.suite === test.suite && one.test === test.test)) report.ended(test);
  if (code !== 0 && !hasFailures)
    throw new SuiteBroken(`The command exited with code ${code}, but no test failed. See its log for the reason.`);
}

/** Runs any suite that writes JUnit XML, with a shell command. */
export const command: Framework = {
  name: 'command',
  listMissing: (find) => (find('bash') ? [] : ['no bash']),
  fits: () => true,
  async prepare({ work }) {
    if (toTexts(work.parameters.command).length === 0)
      throw new SuiteBroken('Missing command. Set the test parameter "command", such as command="npm ci && npm test".');
  },
  async run(job) {
    const source = getSource(job.work.device.key);
    if (missingAppiumTools(source, findProgram).length > 0) return runCommand(job, {});
    await withAppium(job, source, findProgram, ({ env, signal }) => runCommand(job, env, signal));
  },
  cleanup: async () => undefined,
};
