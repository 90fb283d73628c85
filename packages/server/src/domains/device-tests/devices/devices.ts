import { hash } from 'node:crypto';
import { Type } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { jsonCodec, listOutline, objectOutline } from '../../../kernel/text/json-codec.ts';
import { configurationId, type Device, listAppRunners } from '../../runners/index.ts';
import { findDeviceSetBySlug, findSelection, insertSelection } from './devices.store.ts';

const storedDevice = { id: Type.String(), name: Type.String() };
export const deviceCodec = jsonCodec('test_run_devices.device', objectOutline<KnownDevice>(storedDevice));
/** For sets and selections. */
export const devicesCodec = jsonCodec('test_device_sets.devices', listOutline<KnownDevice>(Type.Object(storedDevice)));

/** A device model with an OS version, as reported by a runner. */
export interface KnownDevice {
  id: string;
  name: string;
  manufacturer: string;
  model: string;
  platform: 'android' | 'ios';
  os: string;
  formFactor: 'phone' | 'tablet';
  isEmulated: boolean;
}

export interface Configuration extends KnownDevice {
  frameworks: string[];
  resolution: { width: number; height: number } | undefined;
  isOnline: boolean;
  /** Number of such devices at online runners. */
  available: number;
  runners: string[];
}

/** Many model names begin with the manufacturer. */
const modelName = ({ manufacturer, model }: Device): string =>
  model.toLowerCase().startsWith(manufacturer.toLowerCase()) ? model : `${manufacturer} ${model}`;

const toKnown = (device: Device): KnownDevice => ({
  id: configurationId(device),
  name: `${modelName(device)} (${device.os})`,
  manufacturer: device.manufacturer,
  model: device.model,
  platform: device.platform,
  os: device.os,
  formFactor: device.form_factor,
  isEmulated: device.is_emulated,
});

export const systemName = ({ platform, os }: Pick<KnownDevice, 'platform' | 'os'>): string =>
  `${platform === 'ios' ? 'iOS' : 'Android'} ${os}`;

/** Devices of all runners of an app; of offline runners, those last reported. */
export async function listConfigurations(ctx: AppCtx): Promise<Configuration[]> {
  const found = new Map<string, Configuration>();
  for (const { devices, isOnline, name } of await listAppRunners(ctx)) {
    for (const device of devices) {
      const known = toKnown(device);
      const before = found.get(known.id);
      found.set(known.id, {
        ...known,
        frameworks: [...new Set([...(before?.frameworks ?? []), ...device.frameworks])],
        resolution: device.resolution ?? before?.resolution,
        isOnline: isOnline || before?.isOnline === true,
        available: (before?.available ?? 0) + (isOnline ? 1 : 0),
        runners: [...new Set([...(before?.runners ?? []), name])],
      });
    }
  }
  const order = (one: Configuration) => `${one.isOnline ? 0 : 1} ${one.name}`;
  return [...found.values()].toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** The properties to store, in case the runner is removed. */
export async function pickDevices(ctx: AppCtx, ids: readonly string[]): Promise<KnownDevice[]> {
  const known = new Map((await listConfigurations(ctx)).map((one) => [one.id, one]));
  return [...new Set(ids.map((id) => id.toLowerCase()))].map((id) => {
    const found = known.get(id);
    if (!found)
      throw badRequest(
        `No runner of this app has a device ${id}. List the available devices with device_configurations.`,
      );
    const { frameworks: _f, resolution: _r, isOnline: _o, available: _a, runners: _n, ...device } = found;
    return device;
  });
}

const joinIds = (devices: readonly KnownDevice[]): string =>
  devices
    .map(({ id }) => id)
    .sort()
    .join();

/** Always returns the same ID for the same devices, so that scripts can store it. */
export const createSelection = async (ctx: AppCtx, ids: readonly string[]): Promise<string> => {
  const picked = (await pickDevices(ctx, ids)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const appId = ctx.app.id;
  const digest = hash('sha256', joinIds(picked), 'hex');
  return tx(ctx, async (ctx) => {
    for (let at = 0; at + 8 <= digest.length; at += 8) {
      const shortId = digest.slice(at, at + 8);
      await insertSelection.run(ctx.db, { app_id: appId, short_id: shortId, devices: JSON.stringify(picked) });
      const stored = await findSelection.first(ctx.db, { appId, shortId });
      if (stored && joinIds(devicesCodec.parse(stored.devices)) === joinIds(picked)) return shortId;
    }
    throw badRequest("Can't create a short ID for this selection. Create a device set instead.");
  });
};

/** The devices that a client names with `--devices`. */
export async function findSelected(ctx: AppCtx, selection: string): Promise<KnownDevice[]> {
  if (/^[0-9a-f]{8}$/i.test(selection)) {
    const found = await findSelection.first(ctx.db, { appId: ctx.app.id, shortId: selection.toLowerCase() });
    if (found) return devicesCodec.parse(found.devices);
  }
  const [owner = '', slug = '', ...rest] = selection.split('/');
  const set =
    rest.length === 0 && slug !== ''
      ? await findDeviceSetBySlug.first(ctx.db, { ownerName: owner.toLowerCase(), slug: slug.toLowerCase() })
      : undefined;
  const isOwn = ctx.actor.kind === 'user' && set?.owner_id === ctx.actor.user.id;
  if (set && (set.owner_id === ctx.app.ownerId || isOwn)) return devicesCodec.parse(set.devices);
  throw badRequest(`No device selection or set "${selection.slice(0, 100)}". Use a short ID, {owner}/{set}, or any.`);
}
