import { readJunitXml, writeJunitXml, writeNunitXml, XmlBroken } from '@mooring/contract';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { writeZip } from '../../../workers/zip-writer.ts';
import type { JobEvent } from '../../runners/index.ts';
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

/** A device and its reported events, as stored JSON arrays. */
export interface DeviceEvents {
  position: number;
  id: string;
  /** The device has finished, so tests that are still running count as failed. */
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

/** Functions on test results, whose size the sender determines. Inputs and outputs are texts instead of many objects. */
export interface ResultsWork {
  readImport(input: { xml: string; at: number }): ReadImport;
  count(input: { devices: DeviceEvents[] }): { counts: Counts; devices: CountedDevice[]; failedTests: string[] };
  /** Failed tests of each device. */
  listFailed(input: { devices: DeviceEvents[] }): string[][];
  /** The features of a report, as JSON. */
  report(input: { devices: DeviceEvents[]; runUrl: string }): { text: string };
  /** The tests for the console, as JSON; `pictures` are URLs by device position and file name. */
  results(input: { devices: DeviceEvents[]; pictures: Map<string, string>[]; history: PastRun[] }): { text: string };
  step(input: {
    devices: DeviceEvents[];
    id: string;
  }): { id: string; label: string; pictures: { position: number; screenshot: string }[] } | undefined;
  /** The tests that differ, as JSON. */
  compare(input: { before: PastRun; now: PastRun }): { text: string; durations: ComparedDuration[] };
  pack(input: { devices: (DeviceEvents & { name: string })[]; format: 'junit' | 'nunit' }): { bytes: Uint8Array };
}

export type ResultsRequest = {
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
    throw error instanceof XmlBroken ? new Unreadable(`This is not JUnit XML: ${error.message}.`) : error;
  }
}

function readImport({ xml, at }: { xml: string; at: number }): ReadImport {
  const cases = readCases(xml);
  if (cases.length === 0) {
    throw new Unreadable('This JUnit XML has no tests. It requires a <testsuite> with a <testcase>.');
  }
  if (cases.length > MAX_TESTS)
    throw new Unreadable(`A file can have at most ${MAX_TESTS} tests. Split it into several.`);
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
  const { outcomes, failure } = readResults(events.flatMap((text) => parseOwnJson<JobEvent[]>(text)));
  return { outcomes: isDone ? endResults(outcomes) : outcomes, failure };
}

const readAll = (devices: readonly DeviceEvents[]): DeviceOutcomes[] =>
  devices.map((device) => ({ position: device.position, id: device.id, outcomes: readDevice(device).outcomes }));

const hasFailed = ({ status }: Outcome): boolean => status === 'failed';
const fullName = ({ suite, test }: Outcome): string => `${suite} ${test}`;

/** Each failed test once, even if it failed on several devices. */
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
      ? run.summaries.map((text) => parseOwnJson<TestSummary[]>(text))
      : run.devices.map((device) => readDevice(device).outcomes),
  );

function compare({ before, now }: { before: PastRun; now: PastRun }) {
  const [was, is] = [summarizeRun(before), summarizeRun(now)];
  return { text: JSON.stringify(compareTests(was, is)), durations: compareDurations(was, is) };
}

/** On a finished device, no test is still running. */
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

/** Existing clients append the text before `_TEST` to test names without a separator, so it begins with one. */
function* junitFiles(device: string, outcomes: readonly Outcome[]): Generator<[name: string, text: string]> {
  const names = new Map<string, number>();
  for (const [suite, own] of Map.groupBy(outcomes, ({ suite }) => suite)) {
    const name = toFileName(suite).slice(0, 100) || 'suite';
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    yield [`_${device}_TEST-${name}${seen === 0 ? '' : `-${seen}`}.xml`, writeJunitXml(suite, own.map(toCase))];
  }
}

/** Existing clients add their own separator before appending the text before `_nunit_report`. */
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
