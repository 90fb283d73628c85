import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../sandbox.ts';
import { appEnvironment } from '../../test-environment.ts';
import { DeviceBroken, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { filesBelow } from '../appium/test-classes.ts';
import { isSimulator, udidOf } from './apple.ts';
import { type Attachment, readAttachments, readStarted, readTests } from './xcresult.ts';
import { writeTestRun } from './xctestrun.ts';

const foldersOf = ({ folders: { box } }: TestJob) => ({
  app: path.join(box, 'unpacked-app'),
  runner: path.join(box, 'unpacked-tests'),
  testRun: path.join(box, 'suite.xctestrun'),
  bundle: path.join(box, 'result.xcresult'),
  attachments: path.join(box, 'screenshots', 'attachments'),
});

/** The one folder of a kind in what an .ipa holds. */
async function findBundle(folder: string, ending: string): Promise<string> {
  const payload = path.join(folder, 'Payload');
  const [name] = (await readdir(payload).catch(() => [])).filter((one) => one.endsWith(ending));
  if (!name) throw new SuiteBroken(`The package holds no Payload/…${ending}.`);
  return path.join(payload, name);
}

/** Steps before the end of their test, as the pictures are known only then. */
async function tellResults(job: TestJob): Promise<void> {
  const { bundle, attachments } = foldersOf(job);
  const xcrun = findProgram('xcrun') ?? 'xcrun';
  const ask = (...args: string[]) => job.ask([xcrun, 'xcresulttool', ...args], { maxBytes: 256 * 1_048_576 });
  const tests = readTests(await ask('get', 'test-results', 'tests', '--path', bundle, '--format', 'json'));
  await ask('export', 'attachments', '--path', bundle, '--output-path', attachments);
  const manifest = await readFile(path.join(attachments, 'manifest.json'), 'utf8').catch(() => '[]');
  const pictures = Map.groupBy(readAttachments(manifest), ({ id }: Attachment) => id);
  for (const { id, ...test } of tests) {
    job.report.started(test.suite, test.test);
    for (const { file, label } of pictures.get(id) ?? [])
      job.report.step({ ...test, label, screenshot: path.join(attachments, file) });
    job.report.ended({ ...test, stack: test.message });
  }
}

/** Suites of XCUITest: `xcodebuild` runs them, its result bundle says how they went. */
export const xcuitest: Framework = {
  name: 'xcuitest',
  lacks: (find) => (find('xcodebuild') ? [] : ['no Xcode: XCUITest needs a Mac with it']),
  fits: ({ platform, is_emulated }) => platform === 'ios' && !is_emulated,
  async prepare(job) {
    const tests = (await filesBelow(job.folders.suite)).filter((file) => file.endsWith('.ipa'));
    const [test] = tests;
    if (!job.app || !test || tests.length > 1)
      throw new SuiteBroken('A suite of XCUITest is the package of the app and one package with its …-Runner.app.');
    const { app, runner, testRun } = foldersOf(job);
    for (const [file, target] of [
      [job.app, app],
      [path.join(job.folders.suite, test), runner],
    ] as const) {
      const code = await job.run({
        title: `Unpack ${path.basename(file)}`,
        command: ['ditto', '-x', '-k', file, target],
      });
      if (code !== 0) throw new SuiteBroken(`${path.basename(file)} cannot be unpacked.`);
    }
    const host = await findBundle(runner, '-Runner.app');
    const [bundle] = (await readdir(path.join(host, 'PlugIns')).catch(() => [])).filter((name) =>
      name.endsWith('.xctest'),
    );
    if (!bundle) throw new SuiteBroken(`${path.basename(host)} holds no PlugIns/….xctest.`);
    const env = { ...job.env, ...appEnvironment(job.work) };
    await writeFile(
      testRun,
      writeTestRun({ app: await findBundle(app, '.app'), runner: host, bundle, env, only: job.work.only }),
    );
  },
  async run(job) {
    const { testRun, bundle } = foldersOf(job);
    const code = await job.run({
      title: 'xcodebuild',
      command: [
        findProgram('xcodebuild') ?? 'xcodebuild',
        'test-without-building',
        ...['-xctestrun', testRun, '-destination', `id=${udidOf(job.work.device.key)}`, '-resultBundlePath', bundle],
      ],
      onLine(line) {
        const started = readStarted(line);
        if (started) job.report.started(started.suite, started.test);
        return true;
      },
    });
    if (job.signal.aborted) return;
    await tellResults(job).catch((error: Error) => {
      throw new DeviceBroken(`xcodebuild ended with exit code ${code} and left no result: ${error.message}`);
    });
  },
  async cleanup(job) {
    const { app, runner } = foldersOf(job);
    const udid = udidOf(job.work.device.key);
    const xcrun = findProgram('xcrun') ?? 'xcrun';
    const bundles = [findBundle(app, '.app'), findBundle(runner, '-Runner.app')];
    for (const bundle of await Promise.allSettled(bundles)) {
      // What was never unpacked was never installed.
      if (bundle.status === 'rejected') continue;
      const plist = path.join(bundle.value, 'Info.plist');
      const id = (await job.ask(['plutil', '-extract', 'CFBundleIdentifier', 'raw', '-o', '-', plist])).trim();
      await job.ask([
        xcrun,
        ...(isSimulator(job.work.device)
          ? ['simctl', 'uninstall', udid]
          : ['devicectl', 'device', 'uninstall', 'app', '--device', udid]),
        id,
      ]);
    }
  },
};
