import { hash } from 'node:crypto';
import path from 'node:path';
import { type JunitCase, readJunitXml, withoutProperties, XmlBroken } from '@mooring/contract';
import { readInside } from '../../inside.ts';
import { findProgram } from '../../sandbox.ts';
import { type EndedTest, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { lacksOfAppium, withAppium } from '../appium/server.ts';
import { filesBelow } from '../appium/test-classes.ts';
import { sourceOf } from '../devices.ts';
import { createLabelReader } from '../labels.ts';

const LARGEST_REPORT = 20 * 1_048_576;
const MOST_REPORTS = 500;
const usualReports = ['**/TEST-*.xml', '**/junit*.xml', '**/*junit.xml'];

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');

/** Reports in the output folder, whatever they are called, and those below the suite that match. */
async function findReports({ folders, work }: TestJob): Promise<string[]> {
  const patterns = textsOf(work.parameters.reports);
  const wanted = patterns.length > 0 ? patterns : usualReports;
  const inOutput = (await filesBelow(folders.output)).filter((file) => file.endsWith('.xml'));
  const inSuite = (await filesBelow(folders.suite)).filter(
    (file) =>
      !file.includes('node_modules/') &&
      wanted.some((pattern) => path.matchesGlob(file, path.posix.normalize(pattern))),
  );
  return [
    ...inOutput.map((file) => path.join(folders.output, file)),
    ...inSuite.map((file) => path.join(folders.suite, file)),
  ].slice(0, MOST_REPORTS);
}

/** Tells what reports say, of tests that were not told of while they ran. */
function tellCases(job: TestJob, cases: readonly JunitCase[], told: Map<string, number>): void {
  for (const { attachments, ...one } of cases) {
    const key = `${one.suite}\n${one.test}`;
    const isTold = (told.get(key) ?? 0) > 0;
    if (isTold) {
      told.set(key, (told.get(key) ?? 0) - 1);
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
  const [command = ''] = textsOf(work.parameters.command);
  const told = new Map<string, number>();
  const failed: { suite: string; test: string; status: EndedTest['status'] }[] = [];
  const labels = createLabelReader(folders.screenshots, report, (test) => {
    // Why it failed stands in the report, at the end.
    if (test.status === 'failed') failed.push(test);
    else {
      const key = `${test.suite}\n${test.test}`;
      told.set(key, (told.get(key) ?? 0) + 1);
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
  let isAnyFailed = failed.length > 0;
  const uploaded = new Set(work.files.map(({ sha256 }) => sha256.toLowerCase()));
  for (const file of await findReports(job)) {
    if (job.signal.aborted) return;
    const name = path.basename(file);
    const content = await readInside(folders.box, file, LARGEST_REPORT);
    if (!content) {
      job.write(`## ${name} is not read: it is too large, or no file of the suite.\n`);
      continue;
    }
    // One that came with the suite is of another run.
    if (file.startsWith(folders.suite) && uploaded.has(hash('sha256', content))) continue;
    const xml = content.toString('utf8');
    try {
      const cases = readJunitXml(xml);
      if (cases.length === 0) continue;
      isAnyFailed ||= cases.some(({ status }) => status === 'failed');
      tellCases(job, cases, told);
      job.keepReport(name, withoutProperties(xml));
    } catch (error) {
      if (!(error instanceof XmlBroken)) throw error;
      throw new SuiteBroken(`The report ${name} cannot be read: ${error.message}.`);
    }
  }
  for (const test of failed)
    if (report.running().some((one) => one.suite === test.suite && one.test === test.test)) report.ended(test);
  if (code !== 0 && !isAnyFailed)
    throw new SuiteBroken(`The command ended with exit code ${code}, and no test says why.`);
}

/** Any suite that writes JUnit XML, started by a line of the shell. */
export const command: Framework = {
  name: 'command',
  lacks: (find) => (find('bash') ? [] : ['no bash']),
  fits: () => true,
  async prepare({ work }) {
    if (textsOf(work.parameters.command).length === 0)
      throw new SuiteBroken(
        'What to run is missing: give the test parameter "command", such as command="npm ci && npm test".',
      );
  },
  async run(job) {
    const source = sourceOf(job.work.device.key);
    if (lacksOfAppium(source, findProgram).length > 0) return runCommand(job, {});
    await withAppium(job, source, findProgram, ({ env, signal }) => runCommand(job, env, signal));
  },
  cleanup: async () => undefined,
};
