import { hash } from 'node:crypto';
import type { JobEvent } from '../../runners/index.ts';

export interface TestStep {
  label: string;
  at: number;
  /** Name of a file of the job. */
  screenshot: string | undefined;
}

export interface Outcome {
  suite: string;
  test: string;
  status: 'passed' | 'failed' | 'skipped' | 'running';
  startedAt: number;
  milliseconds: number;
  message: string | undefined;
  stack: string | undefined;
  memory: number | undefined;
  steps: TestStep[];
}

/** The result of a test without its steps. */
export type TestSummary = Pick<Outcome, 'suite' | 'test' | 'status' | 'milliseconds' | 'message'>;

export const toSummary = ({ suite, test, status, milliseconds, message }: Outcome): TestSummary => ({
  suite,
  test,
  status,
  milliseconds,
  message,
});

export interface DeviceResults {
  outcomes: Outcome[];
  /** Why further results can't be trusted. */
  failure: string | undefined;
}

/** The same on every device, so that screenshots of a step can be shown side by side. */
export const stepId = (suite: string, test: string, index: number): string =>
  hash('sha256', [suite, test, index].join('\n'), 'hex').slice(0, 32);

export const testKey = ({ suite, test }: { suite: string; test: string }): string => `${suite}\n${test}`;

const begun = (suite: string, test: string, at: number): Outcome => ({
  suite,
  test,
  status: 'running',
  startedAt: at,
  milliseconds: 0,
  message: undefined,
  stack: undefined,
  memory: undefined,
  steps: [],
});

/** The results in the events of one device. If a test ran several times, the last result counts. */
export function readResults(events: readonly JobEvent[]): DeviceResults {
  const outcomes = new Map<string, Outcome>();
  let failure: string | undefined;
  for (const event of events) {
    if (event.type === 'device-failed') {
      failure ??= event.message;
      continue;
    }
    const key = testKey(event);
    const known = outcomes.get(key);
    if (event.type === 'test-started') {
      outcomes.set(key, begun(event.suite, event.test, event.at));
      continue;
    }
    const outcome = known ?? begun(event.suite, event.test, event.at);
    outcomes.set(key, outcome);
    if (event.type === 'step') {
      outcome.steps.push({ label: event.label, at: event.at, screenshot: event.screenshot });
    } else {
      outcome.status = event.status;
      outcome.milliseconds = event.milliseconds;
      outcome.message = event.message;
      outcome.stack = event.stack;
      outcome.memory = event.memory;
    }
  }
  return { outcomes: [...outcomes.values()], failure };
}

/** For a finished device: tests without an end count as failed. */
export const endResults = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.map((one) =>
    one.status === 'running'
      ? {
          ...one,
          status: 'failed',
          message: 'The test started but did not finish, because the connection to the device or its runner was lost.',
        }
      : one,
  );

export interface Counts {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  steps: number;
  peakMemory: number;
  peakDuration: number;
}

/** A test passes only if it passes on every device. */
export function countTests(devices: readonly (readonly Outcome[])[]): Counts {
  const byTest = Map.groupBy(devices.flat(), testKey);
  const counts: Counts = { total: 0, passed: 0, failed: 0, skipped: 0, steps: 0, peakMemory: 0, peakDuration: 0 };
  for (const outcomes of byTest.values()) {
    const has = (status: Outcome['status']) => outcomes.some((one) => one.status === status);
    counts.total += 1;
    if (has('failed')) counts.failed += 1;
    else if (has('passed')) counts.passed += 1;
    else if (has('skipped')) counts.skipped += 1;
    counts.steps += Math.max(1, ...outcomes.map(({ steps }) => steps.length));
    for (const { memory = 0, milliseconds } of outcomes) {
      counts.peakMemory = Math.max(counts.peakMemory, memory);
      counts.peakDuration = Math.max(counts.peakDuration, milliseconds);
    }
  }
  return counts;
}
