import type { AppCtx } from '../../context.ts';
import { answerUrl } from '../../kernel/answer-url.ts';
import { toIso } from '../../kernel/clock.ts';
import { explainRun } from './live-run.ts';
import {
  isFlaky,
  linkTo,
  picturesOf,
  type Report,
  type ReportDevice,
  readHistory,
  sizeOfFiles,
  stepsOf,
  type TestOfReport,
  testsOf,
} from './report.ts';
import { type Outcome, stepId, testKey } from './results.ts';
import { runToWire, testedBy } from './test-runs.wire.ts';
import { isArchive, readArtifacts } from './xml-files.ts';

const logKinds = ['device-log', 'test-log', 'appium-log'] as const;
const logNames = { 'device-log': 'device_log', 'test-log': 'test_log', 'appium-log': 'appium_log' } as const;

const logsOf = (ctx: AppCtx, { device, files }: ReportDevice) => ({
  device_snapshot_id: device.id,
  ...Object.fromEntries(
    logKinds.flatMap((kind) => {
      const file = files.find((one) => one.kind === kind);
      return file ? [[logNames[kind], linkTo(ctx, file)]] : [];
    }),
  ),
});

const most = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), 0);

function testToWire(runUrl: string, test: TestOfReport) {
  const outcomes = test.outcomes.map(({ outcome }) => outcome);
  const count = (status: Outcome['status']) => outcomes.filter((one) => one.status === status).length;
  const steps = stepsOf(test).map(({ id, label, executions }) => ({
    id,
    stepName: label,
    step_report_url: `${runUrl}/steps/${id}`,
    failed: executions.filter(({ outcome, isLast }) => isLast && outcome.status === 'failed').length,
    skipped: executions.filter(({ outcome }) => outcome.status === 'skipped').length,
    stepExecutions: executions.map(({ device, outcome, step, isLast }) => ({
      id: `${id}-${device.row.position}`,
      device_snapshot_id: device.device.id,
      // The last step is where a test stopped.
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

/** The report as existing clients read it. */
export async function reportToWire(ctx: AppCtx, report: Report) {
  const { run, stats, devices } = report;
  const runUrl = `${answerUrl(ctx)}/v0.1/apps/${encodeURIComponent(ctx.app.ownerName)}/${encodeURIComponent(ctx.app.name)}/test_runs/${run.id}`;
  const features = [...Map.groupBy(testsOf(devices), ({ suite }) => suite)].map(([name, own]) => {
    const tests = own.map((test) => testToWire(runUrl, test));
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
  const failures = devices.flatMap(({ row, device }) =>
    row.failure === null
      ? []
      : [{ device_snapshot_id: device.id, error_title: 'The device could not do it', error_message: row.failure }],
  );
  return {
    app_upload_id: run.id,
    date: toIso(run.created_at),
    testType: run.framework ?? '',
    platform: run.platform ?? '',
    stats: {
      os: new Set(devices.map(({ device }) => device.os)).size,
      devices: devices.length,
      filesize: await sizeOfFiles(ctx, run.id),
      totalDeviceMinutes: stats.totalDeviceMinutes,
      devices_not_runned: devices.filter(({ row }) => row.started_at === null && row.job_id !== null).length,
      failed: stats.failed,
      skipped: stats.skipped,
      passed: stats.passed,
      total: stats.total,
      devices_finished: stats.devicesFinished,
      devices_failed: stats.devicesFailed,
      devices_skipped: devices.filter(({ row }) => row.state === 'stopped').length,
      step_count: stats.steps,
      peakmem: stats.peakMemory,
      peakduration: stats.peakDuration,
      artifacts: await readArtifacts(ctx, report),
    },
    id: run.id,
    schema_version: 1,
    revision: run.version,
    features,
    finished_device_snapshots: devices.filter(({ row }) => row.state === 'finished').map(({ device }) => device.id),
    device_logs: devices.map((device) => logsOf(ctx, device)),
    date_finished: run.finished_at === null ? '' : toIso(run.finished_at),
    errorMessage: run.failure ?? undefined,
    snapshot_fatal_errors: failures.length > 0 ? failures : undefined,
  };
}

const isRed = ({ outcomes }: TestOfReport): boolean => outcomes.some(({ outcome }) => outcome.status === 'failed');

const told = (status: Outcome['status']): status is 'passed' | 'failed' | 'skipped' => status !== 'running';

/** Devices and tests, for people. */
export async function resultsToWire(ctx: AppCtx, { run, stats, devices }: Report) {
  const history = await readHistory(ctx, run);
  const pictures = devices.map(picturesOf);
  const tests = testsOf(devices);
  return {
    run: runToWire(run, stats, (await testedBy(ctx, [run])).get(run.id), await explainRun(ctx, run)),
    devices: devices.map(({ row, device, files }) => ({
      index: row.position,
      id: device.id,
      name: device.name,
      os: device.os,
      form_factor: device.formFactor,
      is_emulated: device.isEmulated,
      state: row.state,
      failure: row.failure ?? undefined,
      started_at: row.started_at === null ? undefined : toIso(row.started_at),
      finished_at: row.finished_at === null ? undefined : toIso(row.finished_at),
      files: files
        .filter((file) => file.kind !== 'screenshot' && !isArchive(file))
        .map((file) => ({ kind: file.kind, name: file.name, url: linkTo(ctx, file), size: file.size })),
    })),
    tests: [...tests.filter(isRed), ...tests.filter((test) => !isRed(test))].map((test) => {
      const before = (history.get(testKey(test)) ?? []).filter(told);
      const now = isRed(test) ? 'failed' : 'passed';
      return {
        suite: test.suite,
        test: test.test,
        is_flaky: isFlaky([now, ...before]),
        history: before,
        outcomes: test.outcomes.map(({ device, outcome }) => ({
          device: device.row.position,
          status: outcome.status,
          milliseconds: outcome.milliseconds,
          message: outcome.message,
          stack: outcome.stack,
          memory: outcome.memory,
          steps: outcome.steps.map(({ label, at, screenshot }, index) => {
            const file = screenshot === undefined ? undefined : pictures[device.row.position]?.get(screenshot);
            return { id: stepId(test.suite, test.test, index), label, at, screenshot: file && linkTo(ctx, file) };
          }),
        })),
      };
    }),
  };
}
