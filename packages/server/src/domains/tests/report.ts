import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { type JobFile, listFilesOfJobs } from '../runners/index.ts';
import { workOnResults } from './results-reading.ts';
import { countRun } from './run-ending.ts';
import { type LoadedDevice, loadEvents } from './run-events.ts';
import type { RunStats } from './run-stats.ts';
import { listRunFiles } from './test-files.store.ts';
import { listRunDevices, type RunDeviceRow, type RunRow } from './test-runs.store.ts';
import { getRunRow } from './test-runs.ts';

export interface ReportDevice extends LoadedDevice {
  /** Files of the same attempt as the events. */
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
  const devices = (await loadEvents(ctx, rows)).map(
    (loaded): ReportDevice => ({
      ...loaded,
      files: (files.get(loaded.row.job_id ?? '') ?? []).filter(
        ({ attempt }) => loaded.attempt === 0 || attempt === loaded.attempt,
      ),
    }),
  );
  const stats = run.status === 'finished' ? (JSON.parse(run.stats) as RunStats) : await countRun(ctx, rows);
  return { run, stats, devices, archives: files.get(archivesAt(run, rows)) ?? [] };
}

const keepsPicture = ({ kind }: JobFile): boolean => kind === 'screenshot';

/** By the name that events call it. */
export const picturesOf = ({ files }: ReportDevice): Map<string, JobFile> =>
  new Map(files.filter(keepsPicture).map((file) => [file.name, file]));

export const linkTo = (ctx: AppCtx, { key, name }: JobFile): string => downloadLink(ctx, { key, name });

export async function readStep(ctx: AppCtx, id: string, wanted: string) {
  const { devices } = await readReport(ctx, id, { hasPictures: true });
  const step = await workOnResults(ctx, 'step', { devices: devices.map(({ events }) => events), id: wanted });
  if (!step) throw notFound('step', wanted);
  const byPosition = new Map(
    devices.map((device) => [device.row.position, { device: device.device, files: picturesOf(device) }]),
  );
  return {
    id: step.id,
    label: step.label,
    pictures: step.pictures.flatMap(({ position, screenshot }) => {
      const { device, files } = byPosition.get(position) ?? {};
      const file = files?.get(screenshot);
      return device && file ? [{ device, url: linkTo(ctx, file) }] : [];
    }),
  };
}

export const sizeOfFiles = async ({ db }: AppCtx, runId: string): Promise<number> =>
  (await listRunFiles.all(db, { runId })).reduce((sum, { size }) => sum + Number(size ?? 0), 0);
