import { execFile } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, mkdtemp, statfs } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { TestWork, writeJunitXml } from '@mooring/contract';
import { Value } from 'typebox/value';
import {
  type Command,
  DeviceBroken,
  type EndedTest,
  type Event,
  type Folders,
  SuiteBroken,
  type TestJob,
  type Work,
} from './adapters/adapter.ts';
import { findSource, sourceOf } from './adapters/devices.ts';
import { findFramework } from './adapters/index.ts';
import { watchAppMemory } from './app-memory.ts';
import { readInside } from './inside.ts';
import type { Limits } from './limits.ts';
import { createLineReader } from './lines.ts';
import { runProcess } from './processes.ts';
import { removeFolder } from './remove-folder.ts';
import { contain, findProgram, type Sandbox } from './sandbox.ts';
import { readVariables, testEnvironment } from './test-environment.ts';
import { createEventSender } from './test-events.ts';
import { createReport, type Report } from './test-report.ts';
import { fetchSources } from './test-sources.ts';
import { toolEnvironment, toolFolders } from './tool-environment.ts';
import { findVideos } from './videos.ts';

type LogKind = NonNullable<Command['log']>;

/** A file of a job, kept on the server. */
export interface TestFile {
  kind: LogKind | 'screenshot' | 'junit-xml' | 'video';
  name: string;
  content: Buffer;
}

export interface TestOptions {
  /** In which the folder of the job is made. */
  folder: string;
  /** Folders that no program of the suite may see. */
  hidden: readonly string[];
  sandbox: Sandbox;
  image?: string | undefined;
  limits?: Limits | undefined;
  signal: AbortSignal;
  write(text: string): void;
  /** Takes secrets out of a line. */
  mask(line: string): string;
  /** Keeps a file on the server; says whether it could be. */
  keep(file: TestFile): Promise<boolean>;
  fetch(id: string): Promise<AsyncIterable<Uint8Array>>;
  send(from: number, events: Event[]): Promise<number>;
  onLost(): void;
}

export interface TestOutcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
  /** The device could not do it, or could not be cleaned: no fault of the suite. */
  isDeviceBroken?: boolean;
}

const MINUTE = 60_000;
const LONGEST_TEST = 30 * MINUTE;
const CLEANING = 5 * MINUTE;
const LONGEST_ENCODING = 3 * MINUTE;
const MIB = 1_048_576;
const LARGEST_LOG = 20 * MIB;
const LARGEST_SCREENSHOT = 10 * MIB;
/** Of all together. */
const LARGEST_REPORTS = 64 * MIB;
const MOST_SCREENSHOTS = 2000;
const MOST_REPORTS = 40;

const start = promisify(execFile);

const askWith =
  (signal: AbortSignal): TestJob['ask'] =>
  async ([program = '', ...args], { maxBytes = 8 * MIB } = {}) => {
    const env = { ...toolEnvironment(), HOME: process.env.HOME ?? '/' };
    return (await start(program, args, { signal, timeout: 10 * MINUTE, maxBuffer: maxBytes, env })).stdout;
  };

export const readTestWork = (work: unknown): Work => Value.Parse(TestWork, work);

/** Those that were given in the tests' own variables: a client has no other way to give a password. */
export const secretsOfTests = ({ parameters }: Work): string[] =>
  Object.entries(readVariables(parameters.test_env)).flatMap(([name, value]) =>
    /(password|pwd|secret|token|key)$/i.test(name) && value !== '' ? [value] : [],
  );

/** A recording costs time, so it is asked for. */
const wantsVideo = ({ parameters }: Work): boolean => /^(true|1|yes|on)$/i.test(String(parameters.video));

const kindOfImage = (bytes: Buffer): string | undefined => {
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? 'jpg' : undefined;
};

/** One report a suite, as other tools read them; very many suites are one report. */
function reportsOf(results: readonly EndedTest[], framework: string): { name: string; xml: string }[] {
  const bySuite = Map.groupBy(results, ({ suite }) => suite);
  const groups = bySuite.size > MOST_REPORTS ? [[framework, [...results]] as const] : [...bySuite];
  const names = new Set<string>();
  return groups.map(([suite, tests]) => {
    const stem = `TEST-${suite.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 180)}`;
    let name = `${stem}.xml`;
    for (let at = 2; names.has(name); at += 1) name = `${stem}-${at}.xml`;
    names.add(name);
    return { name, xml: writeJunitXml(suite, tests) };
  });
}

/** Logs of a job, each up to a length; no suite can reach them. */
function createLogs(folder: string, mask: (text: string) => string) {
  const open = new Map<LogKind, { stream: WriteStream; size: number }>();
  const fileOf = (kind: LogKind) => path.join(folder, `${kind}.txt`);
  return {
    write(kind: LogKind, text: string) {
      const log = open.get(kind) ?? { stream: createWriteStream(fileOf(kind)), size: 0 };
      open.set(kind, log);
      if (log.size >= LARGEST_LOG) return;
      log.size += Buffer.byteLength(text);
      // With its time, so that pictures can be shown beside what was printed meanwhile.
      const line = `${new Date().toISOString()} ${text}`;
      log.stream.write(log.size >= LARGEST_LOG ? `${line}\n## It is longer than is kept.\n` : line);
    },
    async end(): Promise<TestFile[]> {
      const kept: TestFile[] = [];
      for (const [kind, { stream }] of open) {
        stream.end();
        await finished(stream);
        const content = await readInside(folder, fileOf(kind), 2 * LARGEST_LOG);
        if (content && content.length > 0)
          kept.push({ kind, name: `${kind}.txt`, content: Buffer.from(mask(content.toString('utf8'))) });
      }
      return kept;
    },
  };
}

/** Says when the tests that run have run for too long. */
function watchTests(report: Report, onOverdue: (what: string) => void): () => void {
  const timer = setInterval(() => {
    const overdue = report.running().find(({ since }) => Date.now() - since > LONGEST_TEST);
    if (overdue) onOverdue(`${overdue.suite} ${overdue.test}: test exceeded ${LONGEST_TEST}ms`);
  }, MINUTE / 4);
  return () => clearInterval(timer);
}

/** What is uploaded shall not fill the disk either. */
async function findRoom({ folder, limits }: TestOptions, { files }: Work): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size + (limits?.disk.leaveBytes ?? 0) > bavail * bsize)
    throw new SuiteBroken(`The files have ${Math.ceil(size / MIB)} MiB, for which the disk of the runner has no room.`);
}

async function makeFolders(job: string): Promise<Folders & { app: string }> {
  const box = path.join(job, 'box');
  const folders = {
    box,
    suite: path.join(box, 'suite'),
    app: path.join(box, 'app'),
    output: path.join(box, 'output'),
    screenshots: path.join(box, 'screenshots'),
    home: path.join(box, 'home'),
    logs: path.join(job, 'logs'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return folders;
}

/** Runs a suite on a device, in a folder of its own, of which nothing is left. */
export async function runTests(work: Work, options: TestOptions): Promise<TestOutcome> {
  const { write, keep, signal: stopped } = options;
  const job = await mkdtemp(path.join(options.folder, 'job-'));
  const folders = await makeFolders(job);
  const mask = (text: string) => text.split('\n').map(options.mask).join('\n');
  const logs = createLogs(folders.logs, mask);
  const reports: { name: string; xml: string }[] = [];
  let screenshots = 0;
  let isUnclean = false;

  async function keepScreenshot(file: string): Promise<string | undefined> {
    const content =
      screenshots < MOST_SCREENSHOTS ? await readInside(folders.box, file, LARGEST_SCREENSHOT) : undefined;
    const extension = content && kindOfImage(content);
    if (!content || !extension) {
      write(
        `## ${path.basename(file)} is not kept: no picture in the folder of the suite, or too many or too large.\n`,
      );
      return undefined;
    }
    screenshots += 1;
    const name = `screenshot-${String(screenshots).padStart(4, '0')}.${extension}`;
    return (await keep({ kind: 'screenshot', name, content })) ? name : undefined;
  }

  const sender = createEventSender({ send: options.send, keep: keepScreenshot, onLost: options.onLost });
  const ending = new AbortController();
  const endFor = (why: string) => ending.abort(new SuiteBroken(why));
  const isApp = findSource(work.device.key)?.isApp;
  const appMemory = isApp && watchAppMemory(isApp);
  const report = createReport({
    tell: sender.add,
    mask,
    onTooMuch: endFor,
    memorySince: (then) => appMemory?.most(then),
  });
  const stopWatching = watchTests(report, endFor);

  async function attempt(): Promise<TestOutcome> {
    const framework = findFramework(work.framework);
    write('== Files of the suite\n');
    await findRoom(options, work);
    const { suite, app: appFolder } = folders;
    const app = await fetchSources({ files: work.files, suite, app: appFolder, signal: stopped, fetch: options.fetch });
    // From here on, not from when it was queued.
    const timeout = AbortSignal.timeout(work.minutes * MINUTE);
    const signal = AbortSignal.any([stopped, timeout, ending.signal]);
    const env: Record<string, string> = { ...toolEnvironment(), ...testEnvironment(work, folders, app) };
    const jobUntil = (signal: AbortSignal): TestJob => ({
      work,
      folders,
      app,
      env,
      signal,
      report,
      write,
      keepReport(name, xml) {
        const size = reports.reduce((sum, one) => sum + one.xml.length, xml.length);
        if (reports.length < MOST_REPORTS && size <= LARGEST_REPORTS) reports.push({ name, xml });
        else write(`## ${name} is not kept: at most ${MOST_REPORTS} reports, of 64 MiB together, are.\n`);
      },
      async run({ title, command, cwd = suite, env: more = {}, onLine, tools = [], log = 'test-log', signal: own }) {
        if (title !== undefined) write(`== ${title}\n`);
        const print = (text: string) => {
          logs.write(log, text);
          if (log === 'test-log') write(text);
        };
        const lines = createLineReader((line) => {
          if (onLine?.(line) !== false) print(`${line}\n`);
        });
        const contained = contain(command, {
          sandbox: options.sandbox,
          image: options.image,
          folder: folders.box,
          cwd,
          tools: [...toolFolders(), ...tools],
          hidden: options.hidden,
          env: { ...env, ...more },
        });
        const code = await runProcess({
          ...contained,
          cwd,
          signal: own ? AbortSignal.any([signal, own]) : signal,
          mark: job,
          limits: options.limits,
          onExceeded: endFor,
          onStart: (pid) => appMemory?.follow(pid) ?? (() => undefined),
          onOutput: (text, stream) => (stream === 'stdout' ? lines.add(text) : print(text)),
        });
        lines.end();
        return code;
      },
      ask: askWith(signal),
    });
    const testJob = jobUntil(signal);
    let clean = async (_job: TestJob): Promise<void> => undefined;
    /** Also of a suite that broke, or took too long: then a video is wanted most. */
    async function recorded(job: TestJob, run: (job: TestJob) => Promise<void>): Promise<void> {
      if (!wantsVideo(work)) return run(job);
      const recording = await sourceOf(work.device.key).record?.(job, findProgram);
      if (!recording) {
        write('## There is no video: a device of this kind is not recorded.\n');
        return run(job);
      }
      const { debuggingPort } = recording;
      env.MOORING_DEBUGGING_PORT = String(debuggingPort);
      try {
        await run({ ...job, debuggingPort });
      } finally {
        await recording.end(jobUntil(AbortSignal.any([stopped, AbortSignal.timeout(LONGEST_ENCODING)])));
      }
    }
    try {
      try {
        clean = (await sourceOf(work.device.key).watch?.(testJob, findProgram)) ?? clean;
        await framework.prepare(testJob);
        signal.throwIfAborted();
        await recorded(testJob, framework.run);
        signal.throwIfAborted();
      } finally {
        // Also of one that was stopped.
        const cleaning = { ...testJob, ask: askWith(AbortSignal.timeout(CLEANING)) };
        for (const part of [framework.cleanup, clean])
          await part(cleaning).catch((error: Error) => {
            isUnclean = true;
            write(`## The device was not cleaned: ${error.message}\n`);
          });
      }
    } catch (error) {
      if (stopped.aborted) throw error;
      if (timeout.aborted)
        throw new SuiteBroken(`Test execution timed out: it took longer than ${work.minutes} minutes.`);
      throw ending.signal.aborted ? ending.signal.reason : error;
    }
    if (report.results().length === 0) throw new SuiteBroken('The suite ended without having run a test.');
    return { result: 'succeeded' };
  }

  try {
    const outcome = await attempt().catch((error: Error): TestOutcome => {
      if (stopped.aborted) return { result: 'canceled' };
      const reason =
        error instanceof SuiteBroken || error instanceof DeviceBroken
          ? error.message
          : `The runner failed: ${error.message}`;
      const isDeviceBroken = !(error instanceof SuiteBroken);
      report.close(reason);
      if (isDeviceBroken) report.deviceFailed(reason);
      write(`\n## ${reason}\n`);
      return { result: 'failed', reason: reason.slice(0, 1000), ...(isDeviceBroken ? { isDeviceBroken } : {}) };
    });
    report.close(outcome.result === 'canceled' ? 'The run was stopped.' : 'The suite ended while it ran.');
    await sender.end();
    for (const { name, xml } of reports.length > 0 ? reports : reportsOf(report.results(), work.framework))
      await keep({ kind: 'junit-xml', name, content: Buffer.from(mask(xml)) });
    for await (const video of findVideos(folders, write)) await keep({ kind: 'video', ...video });
    for (const log of await logs.end()) await keep(log);
    return isUnclean ? { ...outcome, isDeviceBroken: true } : outcome;
  } finally {
    stopWatching();
    appMemory?.stop();
    await removeFolder(job);
  }
}
