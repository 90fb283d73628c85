import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createLineReader } from '../../../files/lines.ts';
import { debian } from '../../../tools/install-hints.ts';
import { appEnvironment } from '../../test-environment.ts';
import { DeviceBroken, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { listFiles } from '../appium/test-classes.ts';
import { buildAdbCommand, listPackages } from './android.ts';
import { createInstrumentationReader, readInstrumentations, readMemory } from './instrumentation.ts';
import { readJunitEvent } from './junit-event.ts';

const MEMORY_INTERVAL_MS = 2000;

/** Quotes an argument for the shell of the device, as adb joins arguments to one line. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

async function install(job: TestJob, file: string): Promise<void> {
  await job
    .runOnHost(buildAdbCommand(job, 'install', '-r', '-g', '-t', file))
    .catch((error: Error & { stdout?: string; stderr?: string }) => {
      const printed = `${error.stdout ?? ''}${error.stderr ?? ''}`;
      const [reason] = /INSTALL_[A-Z_]{1,100}/.exec(printed) ?? [];
      if (reason) throw new SuiteBroken(`Can't install ${path.basename(file)}: ${reason}.`);
      throw new DeviceBroken(
        `adb can't install ${path.basename(file)}: ${printed.trim().slice(0, 300) || error.message}`,
      );
    });
}

/** Serves the label extension until aborted. The test waits at each label until its screenshot is taken. */
async function followLabels(job: TestJob, port: number, signal: AbortSignal): Promise<void> {
  let count = 0;
  const takeScreenshot = async (): Promise<string> => {
    count += 1;
    const file = path.join(job.folders.screenshots, `label-${count}.png`);
    const script = '"$1" -s "$2" exec-out screencap -p > "$3"';
    const [adb = 'adb', , serial = ''] = buildAdbCommand(job);
    await job.run({ command: ['bash', '-c', script, '-', adb, serial, file], log: 'device-log', signal });
    return file;
  };
  while (!signal.aborted) {
    const socket = connect({ port, host: '127.0.0.1', signal });
    let pending = Promise.resolve();
    const lines = createLineReader((line) => {
      pending = pending.then(async () => {
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
    // adb accepts connections before the app listens, so reconnect.
    await setTimeout(250, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns a function that reports the maximum memory since its last call. */
function watchMemory(job: TestJob, target: string, signal: AbortSignal): () => number | undefined {
  let max: number | undefined;
  void (async () => {
    while (!signal.aborted) {
      const printed = await job.runOnHost(buildAdbCommand(job, 'shell', 'dumpsys', 'meminfo', target)).catch(() => '');
      const now = readMemory(printed);
      if (now !== undefined) max = Math.max(max ?? 0, now);
      await setTimeout(MEMORY_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return () => {
    const result = max;
    max = undefined;
    return result;
  };
}

/** Packages on the device before a job, by its folder. New packages belong to the suite. */
const packagesBefore = new Map<string, string[]>();

/** Espresso and other instrumentation tests: `adb` installs both packages and starts them. */
export const espresso: Framework = {
  name: 'espresso',
  listMissing: (find) => (find('adb') ? [] : [`no adb: install the Android platform tools${debian('adb')}`]),
  fits: ({ platform, is_emulated }) => platform === 'android' && !is_emulated,
  async prepare(job) {
    const tests = (await listFiles(job.folders.suite)).filter((file) => file.endsWith('.apk'));
    const [test] = tests;
    if (!job.app || !test || tests.length > 1)
      throw new SuiteBroken(
        'Invalid Espresso suite: it must contain the package of the app and one package with tests.',
      );
    packagesBefore.set(job.folders.box, await listPackages(job));
    await install(job, job.app);
    await install(job, path.join(job.folders.suite, test));
  },
  async run(job) {
    const installed = packagesBefore.get(job.folders.box) ?? [];
    const printed = await job.runOnHost(buildAdbCommand(job, 'shell', 'pm', 'list', 'instrumentation'));
    const instrumentation = readInstrumentations(printed).find(
      ({ component }) => !installed.includes(component.split('/')[0] ?? ''),
    );
    if (!instrumentation) throw new SuiteBroken('The test package contains no new instrumentation.');
    const running = new AbortController();
    const port = Number(
      (await job.runOnHost(buildAdbCommand(job, 'forward', 'tcp:0', 'localabstract:junitevent'))).trim(),
    );
    const memory = watchMemory(job, instrumentation.target, running.signal);
    const others = [
      followLabels(job, port, running.signal),
      job.run({
        command: buildAdbCommand(job, 'logcat', '-v', 'threadtime', '-T', '1'),
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
    const variableArguments = Object.entries(variables).flatMap(([name, value]) => ['-e', name, quoteForShell(value)]);
    try {
      const command = buildAdbCommand(
        job,
        'shell',
        'am',
        'instrument',
        '-w',
        '-r',
        ...variableArguments,
        instrumentation.component,
      );
      await job.run({ title: 'Instrumentation', command, onLine: (line) => void read(line) });
    } finally {
      running.abort();
      await Promise.allSettled(others);
      await job.runOnHost(buildAdbCommand(job, 'forward', '--remove', `tcp:${port}`)).catch(() => undefined);
    }
    if (job.signal.aborted || problem === undefined) return;
    if (/connection|System has crashed/.test(problem)) throw new DeviceBroken(problem);
    throw new SuiteBroken(problem);
  },
  async cleanup(job) {
    packagesBefore.delete(job.folders.box);
  },
};
