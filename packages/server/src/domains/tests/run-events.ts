import type { Ctx } from '../../context.ts';
import { readEventTexts } from '../runners/index.ts';
import type { KnownDevice } from './devices.ts';
import type { DeviceEvents } from './results-work.ts';
import type { RunDeviceRow } from './test-runs.store.ts';

export const isDone = ({ state }: Pick<RunDeviceRow, 'state'>): boolean => state !== 'pending' && state !== 'running';

export interface LoadedDevice {
  row: RunDeviceRow;
  device: KnownDevice;
  /** The attempt that the events are of; 0 for imported ones. */
  attempt: number;
  events: DeviceEvents;
}

/** The events of devices as text: they are parsed only where they can take long. */
export async function loadEvents(ctx: Pick<Ctx, 'db'>, rows: readonly RunDeviceRow[]): Promise<LoadedDevice[]> {
  const jobIds = rows.flatMap(({ job_id }) => job_id ?? []);
  const ofJobs = await readEventTexts(ctx, jobIds);
  return rows.map((row) => {
    const imported = { attempt: 0, events: row.events === null ? [] : [row.events] };
    const { attempt, events } = ofJobs.get(row.job_id ?? '') ?? imported;
    const device = JSON.parse(row.device) as KnownDevice;
    return { row, device, attempt, events: { position: row.position, id: device.id, isDone: isDone(row), events } };
  });
}
