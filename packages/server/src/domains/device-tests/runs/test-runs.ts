import { testFrameworks } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, conflict, notFound, tooManyRequests } from '../../../kernel/errors.ts';
import { jsonCodec, StringList } from '../../../kernel/text/json-codec.ts';
import { appSubject, getApp } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { beginPackageTest } from '../../packages/index.ts';
import { cancelJob, lockJobs, queueJob } from '../../runners/index.ts';
import { type Configuration, findSelected, type KnownDevice, listConfigurations } from '../devices/devices.ts';
import { listRunFiles } from '../files/test-files.store.ts';
import { noteSeries } from '../series/test-series.ts';
import { prepareRunEnd } from './run-counts.ts';
import { finishRun } from './run-ending.ts';
import { readParameters, sealParameters } from './run-parameters.ts';
import { noStats, type RunStats, statsCodec } from './run-stats.ts';
import {
  countOpenRuns,
  findRun,
  insertRun,
  insertRunDevice,
  listRunDevices,
  listRunRows,
  listSeriesRunRows,
  lockRun,
  type RunDeviceRow,
  type RunRow,
  saveRun,
} from './test-runs.store.ts';

const onlyTestsCodec = jsonCodec('test_runs.only_tests', StringList);

const MAX_LISTED = 50;
/** Sorts after every ID. */
const LAST_ID = 'g';

type Framework = (typeof testFrameworks)[number];

/** Aliases that clients use for frameworks. */
const frameworkNames: Readonly<Record<string, Framework>> = { ui_test: 'uitest', 'xamarin.uitest': 'uitest' };

function parseFramework(name: string): Framework {
  const normalized = name.toLowerCase();
  const known = testFrameworks.find((one) => one === normalized) ?? frameworkNames[normalized];
  if (!known)
    throw badRequest(`"${name}" is not a supported test framework. Choose one of ${testFrameworks.join(', ')}.`);
  return known;
}

export const emptyRun = (ctx: Pick<Ctx, 'clock' | 'newId'>, appId: string): RunRow => ({
  id: ctx.newId(),
  app_id: appId,
  series: null,
  source: 'runner',
  rerun_of: null,
  status: 'created',
  result: 'pending',
  failure: null,
  framework: null,
  platform: null,
  app_version: null,
  locale: null,
  parameters: '{}',
  sealed_parameters: null,
  only_tests: null,
  stats: JSON.stringify(noStats),
  is_stopped: 0,
  is_archived: 0,
  created_at: ctx.clock.now(),
  started_at: null,
  finished_at: null,
  version: 1,
});

export async function getRunRow({ db, app }: Pick<AppCtx, 'db' | 'app'>, id: string): Promise<RunRow> {
  const row = await findRun.first(db, { appId: app.id, id });
  if (!row) throw notFound('test run', id);
  return row;
}

export const parseStats = ({ stats }: RunRow): RunStats => statsCodec.parse(stats);

export const createRun = (ctx: AppCtx): Promise<RunRow> =>
  tx(ctx, async (ctx) => {
    const row = emptyRun(ctx, ctx.app.id);
    await insertRun.run(ctx.db, row);
    await record(ctx, 'test_run.create', appSubject(ctx.app), { after: { test_run: row.id } });
    return row;
  });

export interface RunFilter {
  before?: string | undefined;
  /** Only runs that tested this release. */
  releaseId?: number | undefined;
  buildId?: number | undefined;
}

export const listRuns = ({ db, app }: AppCtx, filter: RunFilter): Promise<RunRow[]> =>
  listRunRows(db, { ...filter, appId: app.id, before: filter.before ?? LAST_ID, limit: MAX_LISTED });

export const listSeriesRuns = ({ db, app }: AppCtx, series: string): Promise<RunRow[]> =>
  listSeriesRunRows.all(db, { appId: app.id, series, limit: MAX_LISTED });

export interface Start {
  framework: string;
  selection: string;
  locale?: string | undefined;
  series?: string | undefined;
  parameters?: Record<string, unknown> | undefined;
  /** The tested release or build, if the caller knows it. */
  tested?: { releaseId?: number | undefined; buildId?: number | undefined } | undefined;
}

export interface Started {
  accepted: KnownDevice[];
  rejected: KnownDevice[];
}

const systems: Readonly<Record<string, string>> = { ios: 'iOS', android: 'Android' };

const fits = (one: Configuration, framework: string, system: string): boolean =>
  one.frameworks.includes(framework) && systems[one.platform] === system;

/** An online device, if there is one. */
const pickAnyDevice = (configurations: readonly Configuration[], framework: string, system: string): KnownDevice[] =>
  configurations.filter((one) => one.isOnline && fits(one, framework, system)).slice(0, 1);

/** Returns whether a runner of the app has or had such a device. */
const canRun = (configurations: readonly Configuration[], { id }: KnownDevice, framework: string, system: string) =>
  configurations.some((one) => one.id === id && fits(one, framework, system));

/** Devices that can run the tests of a run; before its start, all devices with the app's system. */
export async function listFitting(ctx: AppCtx, runId: string): Promise<Configuration[]> {
  const { framework } = await getRunRow(ctx, runId);
  const { os: system } = await getApp(ctx);
  return (await listConfigurations(ctx)).filter((one) =>
    framework === null ? systems[one.platform] === system : fits(one, framework, system),
  );
}

/** Call in the transaction that starts a run. */
export async function refuseIfBusy(ctx: AppCtx): Promise<void> {
  await lock(ctx, 'limits', `test-runs ${ctx.app.id}`);
  const open = Number((await countOpenRuns.first(ctx.db, { appId: ctx.app.id }))?.count ?? 0);
  if (open >= ctx.config.testQueue) {
    throw tooManyRequests(
      `This app already has ${open} queued and running test runs. Stop some, or wait until they finish.`,
      60,
    );
  }
}

interface Arrived {
  id: string;
  path: string;
  type: RunFile['type'];
  sha256: string;
  size: number;
  key: string;
}
type RunFile = Awaited<ReturnType<typeof listRunFiles.all>>[number];

async function listArrivedFiles(ctx: AppCtx, runId: string): Promise<Arrived[]> {
  const files = await listRunFiles.all(ctx.db, { runId });
  if (!files.some(({ type }) => type === 'test-file')) {
    throw badRequest('This test run has no test files. Add them by their checksums, and upload them.');
  }
  const missing = files.filter(({ file_id }) => file_id === null);
  if (missing.length > 0) {
    const [first] = missing;
    throw badRequest(`${missing.length} files are missing, such as ${first?.path}. Upload them first.`);
  }
  return files.map(({ file_id, path, type, sha256, size, blob_key }) => ({
    id: file_id ?? '',
    path,
    type,
    sha256: sha256 ?? '',
    size: size ?? 0,
    key: blob_key ?? '',
  }));
}

/** Queues one job per device, in the caller's transaction. */
export async function queueDevices(ctx: AppCtx, run: RunRow, devices: readonly KnownDevice[]): Promise<void> {
  const files = await listArrivedFiles(ctx, run.id);
  const { os, platform } = await getApp(ctx);
  const framework = run.framework ?? '';
  const sources = Object.fromEntries(
    files.map(({ id, key, path }) => [id, { key, name: path.split('/').at(-1) ?? 'file' }]),
  );
  for (const [position, device] of devices.entries()) {
    const { id, name, model, os: version } = device;
    const work = {
      app: { owner: ctx.app.ownerName, name: ctx.app.name, os, platform },
      run: { id: run.id },
      device: { name, model, os: version, platform: device.platform, index: position },
      framework,
      parameters: readParameters(ctx, run),
      locale: run.locale ?? 'en_US',
      files: files.map(({ id, path, type, sha256, size }) => ({ id, path, type, sha256, size })),
      ...(run.only_tests === null ? {} : { only: onlyTestsCodec.parse(run.only_tests) }),
      minutes: ctx.config.testMinutes,
    };
    const jobId = await queueJob(ctx, {
      appId: ctx.app.id,
      kind: 'test',
      needs: [],
      device: { configurationId: id, framework },
      sources,
      work,
    });
    await insertRunDevice.run(ctx.db, {
      run_id: run.id,
      position,
      device: JSON.stringify(device),
      job_id: jobId,
      state: 'pending',
      failure: null,
      events: null,
      outcomes: null,
      started_at: null,
      finished_at: null,
    });
  }
}

export async function startRun(ctx: AppCtx, id: string, start: Start): Promise<Started> {
  const framework = parseFramework(start.framework);
  const configurations = await listConfigurations(ctx);
  const { os: system } = await getApp(ctx);
  const chosen =
    start.selection === 'any'
      ? pickAnyDevice(configurations, framework, system)
      : await findSelected(ctx, start.selection);
  return tx(ctx, async (ctx) => {
    const before = await getRunRow(ctx, id);
    const row = await lockRun.first(ctx.db, { id: before.id });
    if (row?.status !== 'created') throw conflict('This test run has already started. Create a new one.');
    await refuseIfBusy(ctx);
    const files = await listArrivedFiles(ctx, id);
    const accepted = chosen.filter((device) => canRun(configurations, device, framework, system));
    const rejected = chosen.filter((device) => !accepted.includes(device));
    const now = ctx.clock.now();
    const series = start.series?.trim() ? await noteSeries(ctx, start.series.trim()) : null;
    const started: RunRow = {
      ...row,
      series,
      framework,
      platform: system === 'iOS' ? 'ios' : 'android',
      locale: start.locale ?? null,
      sealed_parameters: sealParameters(ctx, start.parameters ?? {}),
      status: 'pending',
      started_at: now,
    };
    const sha256 = files.find(({ type }) => type === 'app-file')?.sha256;
    await beginPackageTest(ctx, ctx.app.id, id, { sha256, ...start.tested });
    await record(ctx, 'test_run.start', appSubject(ctx.app), {
      after: { test_run: id, framework, devices: accepted.length, rejected: rejected.length },
    });
    if (accepted.length === 0) {
      const failure = `No suitable device: no ${chosen.length === 0 ? 'online' : 'selected'} device can run ${framework} tests of ${system} apps.`;
      await finishRun(ctx, { ...started, failure });
    } else {
      await saveRun.run(ctx.db, started);
      await queueDevices(ctx, started, accepted);
    }
    return { accepted, rejected };
  });
}

/** Ends waiting devices immediately, and running ones as soon as their runners poll. Finished tests stay in the report. */
async function stop(ctx: Ctx, row: RunRow, devices: readonly RunDeviceRow[]): Promise<void> {
  await saveRun.run(ctx.db, { ...row, is_stopped: 1 });
  if (row.status === 'created') {
    await finishRun(ctx, { ...row, is_stopped: 1 });
    return;
  }
  for (const { job_id, state } of devices) {
    if (job_id !== null && (state === 'pending' || state === 'running')) await cancelJob(ctx, job_id);
  }
}

async function lockOpen(ctx: AppCtx, id: string): Promise<{ row: RunRow; devices: RunDeviceRow[] }> {
  await getRunRow(ctx, id);
  const listDevices = () => listRunDevices.all(ctx.db, { runId: id });
  await lockJobs(
    ctx,
    (await listDevices()).flatMap(({ job_id }) => job_id ?? []),
  );
  const row = await lockRun.first(ctx.db, { id });
  if (!row) throw notFound('test run', id);
  return { row, devices: await listDevices() };
}

/** Stopping ends the devices that are waiting. */
const prepareStop = async (ctx: AppCtx, id: string): Promise<void> => {
  const { status } = await getRunRow(ctx, id);
  if (status !== 'finished') await prepareRunEnd(ctx, id, ({ state }) => state === 'pending');
};

export async function stopRun(ctx: AppCtx, id: string): Promise<RunRow> {
  await prepareStop(ctx, id);
  return tx(ctx, async (ctx) => {
    const { row, devices } = await lockOpen(ctx, id);
    if (row.status !== 'finished') await stop(ctx, row, devices);
    await record(ctx, 'test_run.stop', appSubject(ctx.app), { after: { test_run: id } });
    return getRunRow(ctx, id);
  });
}

export async function archiveRun(ctx: AppCtx, id: string): Promise<RunRow> {
  await prepareStop(ctx, id);
  return tx(ctx, async (ctx) => {
    const { row, devices } = await lockOpen(ctx, id);
    if (row.status !== 'finished') await stop(ctx, row, devices);
    await saveRun.run(ctx.db, { ...(await getRunRow(ctx, id)), is_archived: 1 });
    await record(ctx, 'test_run.archive', appSubject(ctx.app), { after: { test_run: id } });
    return getRunRow(ctx, id);
  });
}
