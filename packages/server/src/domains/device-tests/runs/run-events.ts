import type { Ctx } from '../../../context.ts';
import { readEventTexts } from '../../runners/index.ts';
import { deviceCodec, type KnownDevice } from '../devices/devices.ts';
import type { DeviceEvents } from '../results/results-work.ts';
import type { RunDeviceRow } from './test-runs.store.ts';

export const isDone = ({ state }: Pick<RunDeviceRow, 'state'>): boolean => state !== 'pending' && state !== 'running';

export interface LoadedDevice {
  row: RunDeviceRow;
  device: KnownDevice;
  /** The attempt of the events; 0 for imported ones. */
  attempt: number;
  events: DeviceEvents;
}

/** Loads events as text. They may be large, so they are parsed elsewhere. */
export async function loadEvents(ctx: Pick<Ctx, 'db'>, rows: readonly RunDeviceRow[]): Promise<LoadedDevice[]> {
  const jobIds = rows.flatMap(({ job_id }) => job_id ?? []);
  const ofJobs = await readEventTexts(ctx, jobIds);
  return rows.map((row) => {
    const imported = { attempt: 0, events: row.events === null ? [] : [row.events] };
    const { attempt, events } = ofJobs.get(row.job_id ?? '') ?? imported;
    const device = deviceCodec.parse(row.device);
    return { row, device, attempt, events: { position: row.position, id: device.id, isDone: isDone(row), events } };
  });
}
