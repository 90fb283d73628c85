import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { type JobFile, listFilesOfJobs } from '../runners/index.ts';
import type { KnownDevice } from './devices.ts';
import { type Outcome, stepId, type TestStep, testKey } from './results.ts';
import { readDevices, statsFor } from './run-ending.ts';
import type { RunStats } from './run-stats.ts';
import { listRunFiles } from './test-files.store.ts';
import { listOutcomesBefore, listRunDevices, type RunDeviceRow, type RunRow } from './test-runs.store.ts';
import { getRunRow } from './test-runs.ts';
import { readSummaries } from './test-summaries.ts';

export interface ReportDevice {
  row: RunDeviceRow;
  device: KnownDevice;
  outcomes: Outcome[];
  /** Of the attempt that the outcomes are of. */
  files: JobFile[];
}

export interface Report {
  run: RunRow;
  stats: RunStats;
  devices: ReportDevice[];
  /** What was made of all devices together. */
  archives: JobFile[];
}

/** What is made of all devices is kept with the files of the first. */
export const archivesAt = (run: RunRow, devices: readonly RunDeviceRow[]): string => devices[0]?.job_id ?? run.id;

export async function readReport(ctx: AppCtx, id: string, { hasPictures = false } = {}): Promise<Report> {
  const run = await getRunRow(ctx, id);
  const rows = await listRunDevices.all(ctx.db, { runId: id });
  const jobIds = [archivesAt(run, rows), ...rows.flatMap(({ job_id }) => job_id ?? [])];
  const files = await listFilesOfJobs(ctx, [...new Set(jobIds)], { hasPictures });
  const known = await readDevices(ctx, rows);
  const devices = known.map(
    ({ row, outcomes, attempt }): ReportDevice => ({
      row,
      device: JSON.parse(row.device) as KnownDevice,
      outcomes,
      files: (files.get(row.job_id ?? '') ?? []).filter((file) => attempt === 0 || file.attempt === attempt),
    }),
  );
  const isFinished = run.status === 'finished';
  const outcomes = known.map((device) => device.outcomes);
  const stats = isFinished ? (JSON.parse(run.stats) as RunStats) : statsFor(rows, outcomes);
  return { run, stats, devices, archives: files.get(archivesAt(run, rows)) ?? [] };
}

export interface TestOfReport {
  suite: string;
  test: string;
  outcomes: { device: ReportDevice; outcome: Outcome }[];
}

/** Each test with what it has shown on each device, in the order in which they came to run. */
export function testsOf(devices: readonly ReportDevice[]): TestOfReport[] {
  const tests = new Map<string, TestOfReport>();
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

export interface ReportStep {
  id: string;
  label: string;
  executions: { device: ReportDevice; outcome: Outcome; step: TestStep | undefined; isLast: boolean }[];
}

/** The steps of a test side by side; one without steps is a step by itself. */
export function stepsOf({ suite, test, outcomes }: TestOfReport): ReportStep[] {
  const count = Math.max(1, ...outcomes.map(({ outcome }) => outcome.steps.length));
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

const keepsPicture = ({ kind }: JobFile): boolean => kind === 'screenshot';

/** By the name that events call it. */
export const picturesOf = ({ files }: ReportDevice): Map<string, JobFile> =>
  new Map(files.filter(keepsPicture).map((file) => [file.name, file]));

export const linkTo = (ctx: AppCtx, { key, name }: JobFile): string => downloadLink(ctx, { key, name });

export async function readStep(ctx: AppCtx, id: string, wanted: string) {
  const { devices } = await readReport(ctx, id, { hasPictures: true });
  const step = testsOf(devices)
    .flatMap(stepsOf)
    .find((one) => one.id === wanted);
  if (!step) throw notFound('step', wanted);
  const pictures = new Map(devices.map((device) => [device, picturesOf(device)]));
  return {
    id: step.id,
    label: step.label,
    pictures: step.executions.flatMap(({ device, step }) => {
      const file = step?.screenshot === undefined ? undefined : pictures.get(device)?.get(step.screenshot);
      return file ? [{ device: device.device, url: linkTo(ctx, file) }] : [];
    }),
  };
}

const HISTORY = 8;

/** How tests went in the runs before this one, newest first. */
export async function readHistory(ctx: AppCtx, run: RunRow): Promise<Map<string, Outcome['status'][]>> {
  const history = new Map<string, Outcome['status'][]>();
  const which = { appId: ctx.app.id, id: run.id, framework: run.framework ?? '', limit: HISTORY };
  const rows = await listOutcomesBefore.all(ctx.db, which);
  for (const [runId, kept] of Map.groupBy(rows, ({ run_id }) => run_id)) {
    for (const [key, { status }] of await readSummaries(ctx, runId, kept)) {
      const known = history.get(key);
      if (known) known.push(status);
      else history.set(key, [status]);
    }
  }
  return history;
}

/** It has changed between passed and failed at least twice, so neither says much. */
export function isFlaky(statuses: readonly Outcome['status'][]): boolean {
  const told = statuses.filter((status) => status === 'passed' || status === 'failed');
  return told.filter((status, at) => at > 0 && status !== told[at - 1]).length >= 2;
}

export const sizeOfFiles = async ({ db }: AppCtx, runId: string): Promise<number> =>
  (await listRunFiles.all(db, { runId })).reduce((sum, { size }) => sum + Number(size ?? 0), 0);
