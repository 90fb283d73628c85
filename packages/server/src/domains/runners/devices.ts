import { hash } from 'node:crypto';
import { Type } from '@mooring/contract';
import type { Deps } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { jsonCodec, StringList } from '../../kernel/text/json-codec.ts';
import { deleteDeviceFailures, listDeviceFailures, noteDeviceFailure } from './devices.store.ts';
import type { Device } from './runner.ts';

export const requestedDeviceCodec = jsonCodec(
  'runner_jobs.device',
  Type.Object({ configurationId: Type.String(), framework: Type.String() }),
);
export const needsCodec = jsonCodec('runner_jobs.needs', StringList);

/** After this many failed jobs in a row, a device gets no jobs for a while. */
const MAX_FAILURES = 3;
const QUARANTINE = 30 * MINUTE;

/** The device that a job needs: any of this model and OS version, and the framework that must run on it. */
export interface RequestedDevice {
  configurationId: string;
  framework: string;
}

/** ID of a model with an OS version, identical for all runners and servers. */
export function configurationId({ manufacturer, model, platform, os }: Device): string {
  const hex = hash('sha256', [manufacturer, model, platform, os].join('\n'), 'hex');
  // Sets the variant and version bits of a UUID derived from a hash.
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

export const fits = (device: Device, requested: RequestedDevice): boolean =>
  configurationId(device) === requested.configurationId && device.frameworks.includes(requested.framework);

/** Lists the keys of the runner's devices that get no jobs for now. */
export async function quarantined({ db, clock }: Pick<Deps, 'db' | 'clock'>, runnerId: string): Promise<Set<string>> {
  const rows = await listDeviceFailures.all(db, { runnerId });
  const since = clock.now() - QUARANTINE;
  return new Set(
    rows.filter(({ count, last_at }) => count >= MAX_FAILURES && last_at > since).map(({ device_key }) => device_key),
  );
}

/** Counts a failure or success of the device, in the transaction that ends or requeues its job. */
export async function noteDevice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { runner_id, device_key }: { runner_id: string | null; device_key: string | null },
  isFailure: boolean,
): Promise<void> {
  if (runner_id === null || device_key === null) return;
  if (isFailure) await noteDeviceFailure.run(db, { runner_id, device_key, count: 1, last_at: clock.now() });
  else await deleteDeviceFailures.run(db, { runnerId: runner_id, key: device_key });
}
