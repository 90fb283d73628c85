import type { AppCtx } from '../../../context.ts';
import { notFound } from '../../../kernel/errors.ts';
import { downloadLink } from '../../../uploads/index.ts';
import { type JobFile, listFilesByJob } from '../../runners/index.ts';
import { listRunFiles } from '../files/test-files.store.ts';
import { countRun } from '../runs/run-ending.ts';
import { type LoadedDevice, loadEvents } from '../runs/run-events.ts';
import { type RunStats, statsCodec } from '../runs/run-stats.ts';
import { listRunDevices, type RunDeviceRow, type RunRow } from '../runs/test-runs.store.ts';
import { getRunRow } from '../runs/test-runs.ts';
import { workOnResults } from './results-reading.ts';

export interface ReportDevice extends LoadedDevice {
  /** Files of the same attempt as the events. */
  files: JobFile[];
}

export interface Report {
  run: RunRow;
  stats: RunStats;
  devices: ReportDevice[];
  /** Files that were generated from the results of all devices. */
  archives: JobFile[];
}

/** Job whose files include those generated for the whole run: that of the first device. */
export const archivesAt = (run: RunRow, devices: readonly RunDeviceRow[]): string => devices[0]?.job_id ?? run.id;

export async function readReport(ctx: AppCtx, id: string, { hasPictures = false } = {}): Promise<Report> {
  const run = await getRunRow(ctx, id);
  const rows = await listRunDevices.all(ctx.db, { runId: id });
  const jobIds = [archivesAt(run, rows), ...rows.flatMap(({ job_id }) => job_id ?? [])];
  const files = await listFilesByJob(ctx, [...new Set(jobIds)], { hasPictures });
  const devices = (await loadEvents(ctx, rows)).map(
    (loaded): ReportDevice => ({
      ...loaded,
      files: (files.get(loaded.row.job_id ?? '') ?? []).filter(
        ({ attempt }) => loaded.attempt === 0 || attempt === loaded.attempt,
      ),
    }),
  );
  const stats = run.status === 'finished' ? statsCodec.parse(run.stats) : await countRun(ctx, rows);
  return { run, stats, devices, archives: files.get(archivesAt(run, rows)) ?? [] };
}

const isPicture = ({ kind }: JobFile): boolean => kind === 'screenshot';

/** Screenshots by the name that events use. */
export const picturesByName = ({ files }: ReportDevice): Map<string, JobFile> =>
  new Map(files.filter(isPicture).map((file) => [file.name, file]));

export const linkTo = (ctx: AppCtx, { key, name }: JobFile): string => downloadLink(ctx, { key, name });

export async function readStep(ctx: AppCtx, id: string, stepId: string) {
  const { devices } = await readReport(ctx, id, { hasPictures: true });
  const step = await workOnResults(ctx, 'step', { devices: devices.map(({ events }) => events), id: stepId });
  if (!step) throw notFound('step', stepId);
  const byPosition = new Map(
    devices.map((device) => [device.row.position, { device: device.device, files: picturesByName(device) }]),
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

export const getFilesSize = async ({ db }: AppCtx, runId: string): Promise<number> =>
  (await listRunFiles.all(db, { runId })).reduce((sum, { size }) => sum + Number(size ?? 0), 0);
