import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../../sandbox/sandbox.ts';
import { appEnvironment } from '../../test-environment.ts';
import { DeviceBroken, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { listFiles } from '../appium/test-classes.ts';
import { getUdid, isSimulator } from './apple.ts';
import { type Attachment, readAttachments, readStarted, readTests } from './xcresult.ts';
import { writeTestRun } from './xctestrun.ts';

const getPaths = ({ folders: { box } }: TestJob) => ({
  app: path.join(box, 'unpacked-app'),
  runner: path.join(box, 'unpacked-tests'),
  testRun: path.join(box, 'suite.xctestrun'),
  bundle: path.join(box, 'result.xcresult'),
  attachments: path.join(box, 'screenshots', 'attachments'),
});

/** Finds a bundle by its file extension in an unpacked .ipa. */
async function findBundle(folder: string, ending: string): Promise<string> {
  const payload = path.join(folder, 'Payload');
  const [name] = (await readdir(payload).catch(() => [])).filter((one) => one.endsWith(ending));
  if (!name) throw new SuiteBroken(`Invalid package: it contains no Payload/…${ending}.`);
  return path.join(payload, name);
}

/** Reports steps just before the end of their test, as screenshots are available only afterwards. */
async function reportResults(job: TestJob): Promise<void> {
  const { bundle, attachments } = getPaths(job);
  const xcrun = findProgram('xcrun') ?? 'xcrun';
  const runXcresulttool = (...args: string[]) =>
    job.runOnHost([xcrun, 'xcresulttool', ...args], { maxBytes: 256 * 1_048_576 });
  const tests = readTests(await runXcresulttool('get', 'test-results', 'tests', '--path', bundle, '--format', 'json'));
  await runXcresulttool('export', 'attachments', '--path', bundle, '--output-path', attachments);
  const manifest = await readFile(path.join(attachments, 'manifest.json'), 'utf8').catch(() => '[]');
  const pictures = Map.groupBy(readAttachments(manifest), ({ id }: Attachment) => id);
  for (const { id, ...test } of tests) {
    job.report.started(test.suite, test.test);
    for (const { file, label } of pictures.get(id) ?? [])
      job.report.step({ ...test, label, screenshot: path.join(attachments, file) });
    job.report.ended({ ...test, stack: test.message });
  }
}

/** XCUITest suites: `xcodebuild` runs them, and its result bundle contains the results. */
export const xcuitest: Framework = {
  name: 'xcuitest',
  listMissing: (find) => (find('xcodebuild') ? [] : ['no Xcode: XCUITest requires a Mac with Xcode']),
  fits: ({ platform, is_emulated }) => platform === 'ios' && !is_emulated,
  async prepare(job) {
    const tests = (await listFiles(job.folders.suite)).filter((file) => file.endsWith('.ipa'));
    const [test] = tests;
    if (!job.app || !test || tests.length > 1)
      throw new SuiteBroken(
        'Invalid XCUITest suite: it must contain the package of the app and one package with a …-Runner.app.',
      );
    const { app, runner, testRun } = getPaths(job);
    for (const [file, target] of [
      [job.app, app],
      [path.join(job.folders.suite, test), runner],
    ] as const) {
      const code = await job.run({
        title: `Unpack ${path.basename(file)}`,
        command: ['ditto', '-x', '-k', file, target],
      });
      if (code !== 0) throw new SuiteBroken(`Can't unpack ${path.basename(file)}.`);
    }
    const host = await findBundle(runner, '-Runner.app');
    const [bundle] = (await readdir(path.join(host, 'PlugIns')).catch(() => [])).filter((name) =>
      name.endsWith('.xctest'),
    );
    if (!bundle) throw new SuiteBroken(`${path.basename(host)} contains no PlugIns/….xctest.`);
    const env = { ...job.env, ...appEnvironment(job.work) };
    await writeFile(
      testRun,
      writeTestRun({ app: await findBundle(app, '.app'), runner: host, bundle, env, only: job.work.only }),
    );
  },
  async run(job) {
    const { testRun, bundle } = getPaths(job);
    const code = await job.run({
      title: 'xcodebuild',
      command: [
        findProgram('xcodebuild') ?? 'xcodebuild',
        'test-without-building',
        ...['-xctestrun', testRun, '-destination', `id=${getUdid(job.work.device.key)}`, '-resultBundlePath', bundle],
      ],
      onLine(line) {
        const started = readStarted(line);
        if (started) job.report.started(started.suite, started.test);
        return true;
      },
    });
    if (job.signal.aborted) return;
    await reportResults(job).catch((error: Error) => {
      throw new DeviceBroken(`xcodebuild exited with code ${code} without a result: ${error.message}`);
    });
  },
  async cleanup(job) {
    const { app, runner } = getPaths(job);
    const udid = getUdid(job.work.device.key);
    const xcrun = findProgram('xcrun') ?? 'xcrun';
    const bundles = [findBundle(app, '.app'), findBundle(runner, '-Runner.app')];
    for (const bundle of await Promise.allSettled(bundles)) {
      // A bundle that was not unpacked was not installed.
      if (bundle.status === 'rejected') continue;
      const plist = path.join(bundle.value, 'Info.plist');
      const id = (await job.runOnHost(['plutil', '-extract', 'CFBundleIdentifier', 'raw', '-o', '-', plist])).trim();
      await job.runOnHost([
        xcrun,
        ...(isSimulator(job.work.device)
          ? ['simctl', 'uninstall', udid]
          : ['devicectl', 'device', 'uninstall', 'app', '--device', udid]),
        id,
      ]);
    }
  },
};
