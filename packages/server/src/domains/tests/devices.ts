import { hash } from 'node:crypto';
import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { badRequest } from '../../kernel/errors.ts';
import { configurationId, type Device, listAppRunners } from '../runners/index.ts';
import { findDeviceSetBySlug, findSelection, insertSelection } from './devices.store.ts';

/** A model with a version of its system, as it was seen at a runner. */
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
  /** How many of them are at runners that are there. */
  available: number;
  runners: string[];
}

/** Many models begin with the name of who made them. */
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

/** What the runners of an app have, or had when they were last seen. */
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

/** What is kept of them, for when their runner is gone. */
export async function pickDevices(ctx: AppCtx, ids: readonly string[]): Promise<KnownDevice[]> {
  const known = new Map((await listConfigurations(ctx)).map((one) => [one.id, one]));
  return [...new Set(ids.map((id) => id.toLowerCase()))].map((id) => {
    const found = known.get(id);
    if (!found) throw badRequest(`No runner of this app has a device ${id}; device_configurations lists them.`);
    const { frameworks: _f, resolution: _r, isOnline: _o, available: _a, runners: _n, ...device } = found;
    return device;
  });
}

const sumOf = (devices: readonly KnownDevice[]): string =>
  devices
    .map(({ id }) => id)
    .sort()
    .join();

/** For the same devices always the same, so that scripts can keep it. */
export const createSelection = async (ctx: AppCtx, ids: readonly string[]): Promise<string> => {
  const picked = (await pickDevices(ctx, ids)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const appId = ctx.app.id;
  const digest = hash('sha256', sumOf(picked), 'hex');
  return tx(ctx, async (ctx) => {
    for (let at = 0; at + 8 <= digest.length; at += 8) {
      const shortId = digest.slice(at, at + 8);
      await insertSelection.run(ctx.db, { app_id: appId, short_id: shortId, devices: JSON.stringify(picked) });
      const kept = await findSelection.first(ctx.db, { appId, shortId });
      if (kept && sumOf(JSON.parse(kept.devices) as KnownDevice[]) === sumOf(picked)) return shortId;
    }
    throw badRequest('These devices cannot be selected together; make a set of them.');
  });
};

/** The devices that `--devices` of a client names. */
export async function findSelected(ctx: AppCtx, selection: string): Promise<KnownDevice[]> {
  if (/^[0-9a-f]{8}$/i.test(selection)) {
    const found = await findSelection.first(ctx.db, { appId: ctx.app.id, shortId: selection.toLowerCase() });
    if (found) return JSON.parse(found.devices) as KnownDevice[];
  }
  const [owner = '', slug = '', ...rest] = selection.split('/');
  const set =
    rest.length === 0 && slug !== ''
      ? await findDeviceSetBySlug.first(ctx.db, { ownerName: owner.toLowerCase(), slug: slug.toLowerCase() })
      : undefined;
  const isOwn = ctx.actor.kind === 'user' && set?.owner_id === ctx.actor.user.id;
  if (set && (set.owner_id === ctx.app.ownerId || isOwn)) return JSON.parse(set.devices) as KnownDevice[];
  throw badRequest(
    `There is no selection or set of devices "${selection.slice(0, 100)}" here; say a short id, {owner}/{set}, or any.`,
  );
}
