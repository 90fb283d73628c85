import { hash } from 'node:crypto';
import type { Deps } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { deleteDeviceFailures, listDeviceFailures, noteDeviceFailure } from './devices.store.ts';
import type { Device } from './runner.ts';

/** After so many jobs in a row that it could not do, a device is left alone for a while. */
const MOST_FAILURES = 3;
const QUARANTINE = 30 * MINUTE;

/** Which device a job needs: any of this model with this version of its system, and what must run on it. */
export interface WantedDevice {
  configurationId: string;
  framework: string;
}

/** The same for all devices of a model with a version of its system, on every runner and server. */
export function configurationId({ manufacturer, model, platform, os }: Device): string {
  const hex = hash('sha256', [manufacturer, model, platform, os].join('\n'), 'hex');
  // The variant and the version of a UUID that is made of something else.
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

export const fits = (device: Device, wanted: WantedDevice): boolean =>
  configurationId(device) === wanted.configurationId && device.frameworks.includes(wanted.framework);

/** Keys of the devices of a runner that get no job for now. */
export async function quarantined({ db, clock }: Pick<Deps, 'db' | 'clock'>, runnerId: string): Promise<Set<string>> {
  const rows = await listDeviceFailures.all(db, { runnerId });
  const since = clock.now() - QUARANTINE;
  return new Set(
    rows.filter(({ count, last_at }) => count >= MOST_FAILURES && last_at > since).map(({ device_key }) => device_key),
  );
}

/** In the transaction in which its job ends, or is given up. */
export async function noteDevice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { runner_id, device_key }: { runner_id: string | null; device_key: string | null },
  isFailure: boolean,
): Promise<void> {
  if (runner_id === null || device_key === null) return;
  if (isFailure) await noteDeviceFailure.run(db, { runner_id, device_key, count: 1, last_at: clock.now() });
  else await deleteDeviceFailures.run(db, { runnerId: runner_id, key: device_key });
}
