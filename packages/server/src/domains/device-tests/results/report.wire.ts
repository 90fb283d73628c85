import type { Readable } from 'node:stream';
import type { AppCtx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { explainRun } from '../runs/live-run.ts';
import { runToWire, testedBy } from '../runs/test-runs.wire.ts';
import { getFilesSize, linkTo, picturesByName, type Report, type ReportDevice } from './report.ts';
import { workOnResults, writeWith } from './results-reading.ts';
import { readHistory } from './test-summaries.ts';
import { isArchive, readArtifacts, readFeatures } from './xml-files.ts';

const logKinds = ['device-log', 'test-log', 'appium-log'] as const;
const logNames = { 'device-log': 'device_log', 'test-log': 'test_log', 'appium-log': 'appium_log' } as const;

const linkLogs = (ctx: AppCtx, { device, files }: ReportDevice) => ({
  device_snapshot_id: device.id,
  ...Object.fromEntries(
    logKinds.flatMap((kind) => {
      const file = files.find((one) => one.kind === kind);
      return file ? [[logNames[kind], linkTo(ctx, file)]] : [];
    }),
  ),
});

/** The report in the format of existing clients. */
export async function writeReport(ctx: AppCtx, report: Report): Promise<string | Readable> {
  const { run, stats, devices } = report;
  const runUrl = `${getResponseUrl(ctx)}/v0.1/apps/${encodeURIComponent(ctx.app.ownerName)}/${encodeURIComponent(ctx.app.name)}/test_runs/${run.id}`;
  const failures = devices.flatMap(({ row, device }) =>
    row.failure === null
      ? []
      : [{ device_snapshot_id: device.id, error_title: 'Device failure', error_message: row.failure }],
  );
  const fields = {
    app_upload_id: run.id,
    date: toIso(run.created_at),
    testType: run.framework ?? '',
    platform: run.platform ?? '',
    stats: {
      os: new Set(devices.map(({ device }) => device.os)).size,
      devices: devices.length,
      filesize: await getFilesSize(ctx, run.id),
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
    finished_device_snapshots: devices.filter(({ row }) => row.state === 'finished').map(({ device }) => device.id),
    device_logs: devices.map((device) => linkLogs(ctx, device)),
    date_finished: run.finished_at === null ? '' : toIso(run.finished_at),
    errorMessage: run.failure ?? undefined,
    snapshot_fatal_errors: failures.length > 0 ? failures : undefined,
  };
  return writeWith(fields, 'features', await readFeatures(ctx, report, runUrl));
}

/** Devices and tests for the console. */
export async function writeResults(ctx: AppCtx, { run, stats, devices }: Report): Promise<string | Readable> {
  const { text } = await workOnResults(ctx, 'results', {
    devices: devices.map(({ events }) => events),
    pictures: devices.map(
      (device) =>
        new Map(
          picturesByName(device)
            .values()
            .map((file) => [file.name, linkTo(ctx, file)]),
        ),
    ),
    history: await readHistory(ctx, run),
  });
  const fields = {
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
  };
  return writeWith(fields, 'tests', text);
}
