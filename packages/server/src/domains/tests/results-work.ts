import { readJunitXml, writeJunitXml, writeNunitXml, XmlBroken } from '@mooring/contract';
import { Unreadable } from '../../workers/unreadable.ts';
import { writeZip } from '../../workers/zip-writer.ts';
import type { JobEvent } from '../runners/index.ts';
import { type ComparedDuration, compareDurations, compareTests } from './compared-tests.ts';
import { type DeviceOutcomes, findStep, toFeatures, toResults } from './report-tests.ts';
import {
  type Counts,
  countTests,
  endResults,
  type Outcome,
  readResults,
  type TestSummary,
  testKey,
  toSummary,
} from './results.ts';
import { summarize } from './summarized-tests.ts';

/** A device and the events it reported: JSON arrays, as they are kept. */
export interface DeviceEvents {
  position: number;
  id: string;
  /** It ended, so a test that still runs counts as failed. */
  isDone: boolean;
  events: readonly string[];
}

/** Results of a run: JSON of each device, as stored when the run ended, or events while it runs. */
export type PastRun = { summaries: string[] } | { devices: DeviceEvents[] };

export interface CountedDevice {
  total: number;
  hasFailed: boolean;
  /** Why its results can't be trusted. */
  failure: string | undefined;
  /** JSON: a summary of each test. */
  summaries: string;
}

export interface ReadImport {
  count: number;
  /** JSON. */
  events: string;
}

/** Work on test results, which are as large as their sender makes them. Each takes and returns text, never many objects. */
export interface ResultsWork {
  readImport(input: { xml: string; at: number }): ReadImport;
  count(input: { devices: DeviceEvents[] }): { counts: Counts; devices: CountedDevice[]; failedTests: string[] };
  /** The tests that failed on each device. */
  listFailed(input: { devices: DeviceEvents[] }): string[][];
  /** The features of a report, as JSON. */
  report(input: { devices: DeviceEvents[]; runUrl: string }): { text: string };
  /** The tests of the results, as JSON; `pictures` are URLs by the position of a device and the name of a file. */
  results(input: { devices: DeviceEvents[]; pictures: Map<string, string>[]; history: PastRun[] }): { text: string };
  step(input: {
    devices: DeviceEvents[];
    id: string;
  }): { id: string; label: string; pictures: { position: number; screenshot: string }[] } | undefined;
  /** The tests that differ, as JSON. */
  compare(input: { before: PastRun; now: PastRun }): { text: string; durations: ComparedDuration[] };
  pack(input: { devices: (DeviceEvents & { name: string })[]; format: 'junit' | 'nunit' }): { bytes: Uint8Array };
}

export type ResultsQuestion = {
  [K in keyof ResultsWork]: { name: K; input: Parameters<ResultsWork[K]>[0] };
}[keyof ResultsWork];

const MAX_TESTS = 50_000;
const MAX_NAME = 1000;
const MAX_MESSAGE = 4096;
const MAX_STACK = 65_536;
const MAX_NAMED_FAILURES = 10;

function readCases(xml: string) {
  try {
    return readJunitXml(xml);
  } catch (error) {
    throw error instanceof XmlBroken ? new Unreadable(`This is no JUnit XML: ${error.message}.`) : error;
  }
}

function readImport({ xml, at }: { xml: string; at: number }): ReadImport {
  const cases = readCases(xml);
  if (cases.length === 0) {
    throw new Unreadable('This is no JUnit XML with a test in it: a <testsuite> with a <testcase>.');
  }
  if (cases.length > MAX_TESTS)
    throw new Unreadable(`At most ${MAX_TESTS} tests can be imported in one file. Split it into several.`);
  const events = cases.map(
    ({ suite, test, status, milliseconds, message, stack }): JobEvent => ({
      type: 'test-ended',
      at,
      suite: suite.slice(0, MAX_NAME),
      test: test.slice(0, MAX_NAME),
      status,
      milliseconds,
      ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE) }),
      ...(stack === undefined ? {} : { stack: stack.slice(0, MAX_STACK) }),
    }),
  );
  return { count: events.length, events: JSON.stringify(events) };
}

function readDevice({ events, isDone }: Pick<DeviceEvents, 'events' | 'isDone'>) {
  const { outcomes, failure } = readResults(events.flatMap((text) => JSON.parse(text) as JobEvent[]));
  return { outcomes: isDone ? endResults(outcomes) : outcomes, failure };
}

const readAll = (devices: readonly DeviceEvents[]): DeviceOutcomes[] =>
  devices.map((device) => ({ position: device.position, id: device.id, outcomes: readDevice(device).outcomes }));

const hasFailed = ({ status }: Outcome): boolean => status === 'failed';
const fullName = ({ suite, test }: Outcome): string => `${suite} ${test}`;

/** Each failed test once, however many devices it failed on. */
function nameFailed(outcomes: readonly (readonly Outcome[])[]): string[] {
  const names = new Map<string, string>();
  for (const outcome of outcomes.flat()) {
    if (names.size >= MAX_NAMED_FAILURES) break;
    if (hasFailed(outcome)) names.set(testKey(outcome), fullName(outcome));
  }
  return [...names.values()];
}

function count({ devices }: { devices: DeviceEvents[] }) {
  const read = devices.map(readDevice);
  const outcomes = read.map((device) => device.outcomes);
  return {
    counts: countTests(outcomes),
    devices: read.map(({ outcomes, failure }) => ({
      total: outcomes.length,
      hasFailed: outcomes.some(hasFailed),
      failure,
      summaries: JSON.stringify(outcomes.map(toSummary)),
    })),
    failedTests: nameFailed(outcomes),
  };
}

const summarizeRun = (run: PastRun): Map<string, TestSummary> =>
  summarize(
    'summaries' in run
      ? run.summaries.map((text) => JSON.parse(text) as TestSummary[])
      : run.devices.map((device) => readDevice(device).outcomes),
  );

function compare({ before, now }: { before: PastRun; now: PastRun }) {
  const [was, is] = [summarizeRun(before), summarizeRun(now)];
  return { text: JSON.stringify(compareTests(was, is)), durations: compareDurations(was, is) };
}

/** Tests of a device that is done don't run any longer. */
const toCase = ({ suite, test, status, milliseconds, message, stack }: Outcome) => ({
  suite,
  test,
  status: status === 'running' ? ('failed' as const) : status,
  milliseconds,
  ...(message === undefined ? {} : { message }),
  ...(stack === undefined ? {} : { stack }),
});

export const toFileName = (text: string): string => text.replaceAll(/[^A-Za-z0-9-]+/g, '_').replace(/_$/, '');

type WriteFiles = (device: string, outcomes: readonly Outcome[]) => Iterable<[name: string, text: string]>;

/**
 * NOTE: clients append what stands before `_TEST` to the name of each test, with nothing in between, so it begins with the
 * sign that parts them.
 */
function* junitFiles(device: string, outcomes: readonly Outcome[]): Generator<[name: string, text: string]> {
  const names = new Map<string, number>();
  for (const [suite, own] of Map.groupBy(outcomes, ({ suite }) => suite)) {
    const name = toFileName(suite).slice(0, 100) || 'suite';
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    yield [`_${device}_TEST-${name}${seen === 0 ? '' : `-${seen}`}.xml`, writeJunitXml(suite, own.map(toCase))];
  }
}

/** NOTE: here clients append what stands before `_nunit_report` with a sign of their own in between. */
const nunitFiles: WriteFiles = (device, outcomes) => [
  [`${device}_nunit_report.xml`, writeNunitXml(outcomes.map(toCase))],
];

function* filesFor(devices: readonly (DeviceEvents & { name: string })[], write: WriteFiles) {
  for (const device of devices) {
    const { outcomes } = readDevice(device);
    if (outcomes.length > 0) yield* write(device.name, outcomes);
  }
}

export const resultsWork: ResultsWork = {
  readImport,
  count,
  listFailed: ({ devices }) => readAll(devices).map(({ outcomes }) => outcomes.filter(hasFailed).map(fullName)),
  report: ({ devices, runUrl }) => ({ text: JSON.stringify(toFeatures(runUrl, readAll(devices))) }),
  results: ({ devices, pictures, history }) => ({
    text: JSON.stringify(toResults(readAll(devices), pictures, history.map(summarizeRun))),
  }),
  step: ({ devices, id }) => findStep(readAll(devices), id),
  compare,
  pack: ({ devices, format }) => ({ bytes: writeZip(filesFor(devices, format === 'junit' ? junitFiles : nunitFiles)) }),
};
