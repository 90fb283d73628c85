import { toIso } from '../../../kernel/clock.ts';
import { type Outcome, stepId, type TestStep, type TestSummary, testKey } from './results.ts';

/** The outcomes of one device. */
export interface DeviceOutcomes {
  position: number;
  id: string;
  outcomes: Outcome[];
}

interface ReportedTest {
  suite: string;
  test: string;
  outcomes: { device: DeviceOutcomes; outcome: Outcome }[];
}

/** Each test with its outcome on each device, in the order they ran. */
function listTests(devices: readonly DeviceOutcomes[]): ReportedTest[] {
  const tests = new Map<string, ReportedTest>();
  for (const device of devices) {
    for (const outcome of device.outcomes) {
      const key = testKey(outcome);
      const known = tests.get(key) ?? { suite: outcome.suite, test: outcome.test, outcomes: [] };
      known.outcomes.push({ device, outcome });
      tests.set(key, known);
    }
  }
  return [...tests.values()];
}

interface ReportedStep {
  id: string;
  label: string;
  executions: { device: DeviceOutcomes; outcome: Outcome; step: TestStep | undefined; isLast: boolean }[];
}

/** The steps of a test, with their outcome on each device; a test without steps counts as one step. */
function listSteps({ suite, test, outcomes }: ReportedTest): ReportedStep[] {
  const count = outcomes.reduce((most, { outcome }) => Math.max(most, outcome.steps.length), 1);
  return Array.from({ length: count }, (_, index) => ({
    id: stepId(suite, test, index),
    label: outcomes.find(({ outcome }) => outcome.steps[index])?.outcome.steps[index]?.label ?? test,
    executions: outcomes.flatMap(({ device, outcome }) => {
      const step = outcome.steps[index];
      const isLast = index === Math.max(0, outcome.steps.length - 1);
      return step || isLast ? [{ device, outcome, step, isLast }] : [];
    }),
  }));
}

const most = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), 0);

function toReportedTest(runUrl: string, test: ReportedTest) {
  const outcomes = test.outcomes.map(({ outcome }) => outcome);
  const count = (status: Outcome['status']) => outcomes.filter((one) => one.status === status).length;
  const steps = listSteps(test).map(({ id, label, executions }) => ({
    id,
    stepName: label,
    step_report_url: `${runUrl}/steps/${id}`,
    failed: executions.filter(({ outcome, isLast }) => isLast && outcome.status === 'failed').length,
    skipped: executions.filter(({ outcome }) => outcome.status === 'skipped').length,
    stepExecutions: executions.map(({ device, outcome, step, isLast }) => ({
      id: `${id}-${device.position}`,
      device_snapshot_id: device.id,
      // A failed test fails at its last step.
      status: outcome.status === 'failed' && !isLast ? 'passed' : outcome.status,
      timestamp: toIso(step?.at ?? outcome.startedAt),
    })),
  }));
  return {
    testName: test.test,
    runs: [
      {
        number: 1,
        id: steps[0]?.id ?? '',
        report_url: `${runUrl}/results`,
        failed: count('failed'),
        skipped: count('skipped'),
        steps,
      },
    ],
    peakMemory: most(outcomes.map(({ memory = 0 }) => memory)),
    peakDuration: most(outcomes.map(({ milliseconds }) => milliseconds)),
  };
}

/** Tests by suite, in the format of existing clients. */
export const toFeatures = (runUrl: string, devices: readonly DeviceOutcomes[]) =>
  [...Map.groupBy(listTests(devices), ({ suite }) => suite)].map(([name, own]) => {
    const tests = own.map((test) => toReportedTest(runUrl, test));
    const sum = (what: 'failed' | 'skipped') => tests.filter(({ runs }) => runs.some((one) => one[what] > 0)).length;
    return {
      name,
      tests,
      failed: sum('failed'),
      skipped: sum('skipped'),
      peakMemory: most(tests.map(({ peakMemory }) => peakMemory)),
      peakDuration: most(tests.map(({ peakDuration }) => peakDuration)),
    };
  });

/** A step with the names of its screenshots; undefined if no test has it. */
export function findStep(devices: readonly DeviceOutcomes[], id: string) {
  for (const test of listTests(devices)) {
    const step = listSteps(test).find((one) => one.id === id);
    if (!step) continue;
    const pictures = step.executions.flatMap(({ device: { position }, step }) =>
      step?.screenshot === undefined ? [] : [{ position, screenshot: step.screenshot }],
    );
    return { id, label: step.label, pictures };
  }
  return undefined;
}

/** Changed between passed and failed at least twice, so single results mean little. */
export function isFlaky(statuses: readonly Outcome['status'][]): boolean {
  const clear = statuses.filter((status) => status === 'passed' || status === 'failed');
  return clear.filter((status, at) => at > 0 && status !== clear[at - 1]).length >= 2;
}

const isRed = ({ outcomes }: ReportedTest): boolean => outcomes.some(({ outcome }) => outcome.status === 'failed');

/** Tests for the console, failed ones first; `history` has earlier runs, newest first. */
export function toResults(
  devices: readonly DeviceOutcomes[],
  pictures: readonly ReadonlyMap<string, string>[],
  history: readonly ReadonlyMap<string, TestSummary>[],
) {
  const tests = listTests(devices);
  return [...tests.filter(isRed), ...tests.filter((test) => !isRed(test))].map((test) => {
    const key = testKey(test);
    const before = history.flatMap((run) => run.get(key)?.status ?? []).filter((status) => status !== 'running');
    return {
      suite: test.suite,
      test: test.test,
      is_flaky: isFlaky([isRed(test) ? 'failed' : 'passed', ...before]),
      history: before,
      outcomes: test.outcomes.map(({ device, outcome }) => ({
        device: device.position,
        status: outcome.status,
        milliseconds: outcome.milliseconds,
        message: outcome.message,
        stack: outcome.stack,
        memory: outcome.memory,
        steps: outcome.steps.map(({ label, at, screenshot }, index) => ({
          id: stepId(test.suite, test.test, index),
          label,
          at,
          screenshot: screenshot === undefined ? undefined : pictures[device.position]?.get(screenshot),
        })),
      })),
    };
  });
}
