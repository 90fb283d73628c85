import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { debian } from '../../install-hints.ts';
import { createLineReader } from '../../lines.ts';
import { appEnvironment } from '../../test-environment.ts';
import { DeviceBroken, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { filesBelow } from '../appium/test-classes.ts';
import { adbOf, listPackages } from './android.ts';
import { createInstrumentationReader, readInstrumentations, readMemory } from './instrumentation.ts';
import { readJunitEvent } from './junit-event.ts';

const MEMORY_EVERY = 2000;

/** For the shell of the device, to which adb hands its arguments as one line. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

async function install(job: TestJob, file: string): Promise<void> {
  await job
    .ask(adbOf(job, 'install', '-r', '-g', '-t', file))
    .catch((error: Error & { stdout?: string; stderr?: string }) => {
      const printed = `${error.stdout ?? ''}${error.stderr ?? ''}`;
      const [why] = /INSTALL_[A-Z_]{1,100}/.exec(printed) ?? [];
      if (why) throw new SuiteBroken(`${path.basename(file)} cannot be installed: ${why}.`);
      throw new DeviceBroken(
        `adb could not install ${path.basename(file)}: ${printed.trim().slice(0, 300) || error.message}`,
      );
    });
}

/** Answers the label extension until it is aborted: each label waits for its picture. */
async function followLabels(job: TestJob, port: number, signal: AbortSignal): Promise<void> {
  let count = 0;
  const takeScreenshot = async (): Promise<string> => {
    count += 1;
    const file = path.join(job.folders.screenshots, `label-${count}.png`);
    const script = '"$1" -s "$2" exec-out screencap -p > "$3"';
    const [adb = 'adb', , serial = ''] = adbOf(job);
    await job.run({ command: ['bash', '-c', script, '-', adb, serial, file], log: 'device-log', signal });
    return file;
  };
  while (!signal.aborted) {
    const socket = connect({ port, host: '127.0.0.1', signal });
    let answering = Promise.resolve();
    const lines = createLineReader((line) => {
      answering = answering.then(async () => {
        const event = readJunitEvent(line);
        if (event?.type === 'label' || event?.type === 'screenshot')
          job.report.step({
            suite: event.suite,
            test: event.test,
            label: event.label ?? 'Screenshot',
            screenshot: await takeScreenshot(),
          });
        socket.write('ok\n');
      });
    });
    await new Promise<void>((resolve) => {
      socket.setEncoding('utf8');
      socket.on('data', (text: string) => lines.add(text));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
    // adb accepts before anybody listens on the device; so it is asked again.
    await setTimeout(250, undefined, { signal }).catch(() => undefined);
  }
}

/** The most that the app took since it was last asked. */
function watchMemory(job: TestJob, target: string, signal: AbortSignal): () => number | undefined {
  let most: number | undefined;
  void (async () => {
    while (!signal.aborted) {
      const printed = await job.ask(adbOf(job, 'shell', 'dumpsys', 'meminfo', target)).catch(() => '');
      const now = readMemory(printed);
      if (now !== undefined) most = Math.max(most ?? 0, now);
      await setTimeout(MEMORY_EVERY, undefined, { signal }).catch(() => undefined);
    }
  })();
  return () => {
    const taken = most;
    most = undefined;
    return taken;
  };
}

/** What devices had before, by the folder of the job: of the rest one is the suite. */
const before = new Map<string, string[]>();

/** Suites of Espresso, and whatever else is instrumentation: `adb` installs both packages and starts them. */
export const espresso: Framework = {
  name: 'espresso',
  lacks: (find) => (find('adb') ? [] : [`no adb: install the Android platform tools${debian('adb')}`]),
  fits: ({ platform, is_emulated }) => platform === 'android' && !is_emulated,
  async prepare(job) {
    const tests = (await filesBelow(job.folders.suite)).filter((file) => file.endsWith('.apk'));
    const [test] = tests;
    if (!job.app || !test || tests.length > 1)
      throw new SuiteBroken('A suite of Espresso is the package of the app and one package with its tests.');
    before.set(job.folders.box, await listPackages(job));
    await install(job, job.app);
    await install(job, path.join(job.folders.suite, test));
  },
  async run(job) {
    const known = before.get(job.folders.box) ?? [];
    const printed = await job.ask(adbOf(job, 'shell', 'pm', 'list', 'instrumentation'));
    const found = readInstrumentations(printed).find(({ component }) => !known.includes(component.split('/')[0] ?? ''));
    if (!found)
      throw new SuiteBroken('The package with the tests has no instrumentation that the device did not have before.');
    const running = new AbortController();
    const port = Number((await job.ask(adbOf(job, 'forward', 'tcp:0', 'localabstract:junitevent'))).trim());
    const memory = watchMemory(job, found.target, running.signal);
    const others = [
      followLabels(job, port, running.signal),
      job.run({
        command: adbOf(job, 'logcat', '-v', 'threadtime', '-T', '1'),
        log: 'device-log',
        signal: running.signal,
      }),
    ];
    let problem: string | undefined = 'The connection to the device was lost.';
    const read = createInstrumentationReader((event) => {
      if (event.type === 'started') job.report.started(event.suite, event.test);
      else if (event.type === 'ended') job.report.ended({ ...event, memory: memory() });
      else problem = event.problem;
    });
    const chosen = job.work.only?.map((name) => name.replace(' ', '#')).join(',');
    const variables = { label: 'true', ...appEnvironment(job.work), ...(chosen ? { class: chosen } : {}) };
    const given = Object.entries(variables).flatMap(([name, value]) => ['-e', name, shellWord(value)]);
    try {
      const command = adbOf(job, 'shell', 'am', 'instrument', '-w', '-r', ...given, found.component);
      await job.run({ title: 'Instrumentation', command, onLine: (line) => void read(line) });
    } finally {
      running.abort();
      await Promise.allSettled(others);
      await job.ask(adbOf(job, 'forward', '--remove', `tcp:${port}`)).catch(() => undefined);
    }
    if (job.signal.aborted || problem === undefined) return;
    if (/connection|System has crashed/.test(problem)) throw new DeviceBroken(problem);
    throw new SuiteBroken(problem);
  },
  async cleanup(job) {
    before.delete(job.folders.box);
  },
};
