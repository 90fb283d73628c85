import type { AppCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { isTaken } from '../../../db/portable.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { toSlug } from '../slugs.ts';
import {
  type DeviceSetRow,
  deleteDeviceSetRow,
  findDeviceSetRow,
  findSetOwner,
  insertDeviceSet,
  listDeviceSetRows,
  saveDeviceSet,
} from './devices.store.ts';
import { devicesCodec, type KnownDevice, pickDevices } from './devices.ts';

const MAX_SETS = 200;

export interface DeviceSet {
  id: string;
  name: string;
  slug: string;
  devices: KnownDevice[];
  owner: { id: string; type: 'user' | 'organization'; name: string; displayName: string };
}

async function getSetOwner({ db }: Pick<AppCtx, 'db'>, id: string): Promise<DeviceSet['owner']> {
  const row = await findSetOwner.first(db, { id });
  if (!row) throw notFound('owner', id);
  return { id, type: row.kind === 'org' ? 'organization' : 'user', name: row.name, displayName: row.display_name };
}

const toSet = ({ id, name, slug, devices }: DeviceSetRow, owner: DeviceSet['owner']): DeviceSet => ({
  id,
  name,
  slug,
  devices: devicesCodec.parse(devices),
  owner,
});

const setSubject = ({ id, name }: Pick<DeviceSetRow, 'id' | 'name'>, ctx: AppCtx) =>
  ({ kind: 'device_set', id, name, appId: ctx.app.id, orgId: ctx.app.ownerId }) as const;

export async function listDeviceSets(ctx: AppCtx, ownerId: string): Promise<DeviceSet[]> {
  const owner = await getSetOwner(ctx, ownerId);
  return (await listDeviceSetRows.all(ctx.db, { ownerId, limit: MAX_SETS })).map((row) => toSet(row, owner));
}

async function getRow({ db }: Pick<AppCtx, 'db'>, ownerId: string, id: string): Promise<DeviceSetRow> {
  const row = await findDeviceSetRow.first(db, { ownerId, id });
  if (!row) throw notFound('device set', id);
  return row;
}

export const getDeviceSet = async (ctx: AppCtx, ownerId: string, id: string): Promise<DeviceSet> =>
  toSet(await getRow(ctx, ownerId, id), await getSetOwner(ctx, ownerId));

export interface DeviceSetInput {
  name: string;
  devices: readonly string[];
}

const columns = { table: 'test_device_sets', columns: ['owner_id', 'slug'] };

/** Explains a conflict with the name of another set. */
const refusingTaken = async <T>(name: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw isTaken(error, columns)
      ? badRequest(`A device set named "${name}" already exists. Choose another name.`)
      : error;
  });

export const createDeviceSet = (ctx: AppCtx, ownerId: string, input: DeviceSetInput): Promise<DeviceSet> => {
  const name = input.name.trim();
  return refusingTaken(
    name,
    tx(ctx, async (ctx) => {
      await lock(ctx, 'limits', `device-sets ${ownerId}`);
      if ((await listDeviceSetRows.all(ctx.db, { ownerId, limit: MAX_SETS })).length >= MAX_SETS) {
        throw badRequest(`You can have at most ${MAX_SETS} device sets. Delete one first.`);
      }
      const row: DeviceSetRow = {
        id: ctx.newId(),
        owner_id: ownerId,
        name,
        slug: toSlug(name),
        devices: JSON.stringify(await pickDevices(ctx, input.devices)),
      };
      await insertDeviceSet.run(ctx.db, row);
      await record(ctx, 'device_set.create', setSubject(row, ctx), { after: { name } });
      return toSet(row, await getSetOwner(ctx, ownerId));
    }),
  );
};

export const updateDeviceSet = (
  ctx: AppCtx,
  ownerId: string,
  id: string,
  input: DeviceSetInput,
): Promise<DeviceSet> => {
  const name = input.name.trim();
  return refusingTaken(
    name,
    tx(ctx, async (ctx) => {
      const before = await getRow(ctx, ownerId, id);
      const devices = JSON.stringify(await pickDevices(ctx, input.devices));
      const row = { ...before, name, slug: toSlug(name), devices };
      await saveDeviceSet.run(ctx.db, row);
      await record(ctx, 'device_set.update', setSubject(row, ctx), { before: { name: before.name }, after: { name } });
      return toSet(row, await getSetOwner(ctx, ownerId));
    }),
  );
};

export const deleteDeviceSet = (ctx: AppCtx, ownerId: string, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, ownerId, id);
    await deleteDeviceSetRow.run(ctx.db, { id });
    await record(ctx, 'device_set.delete', setSubject(row, ctx), { before: { name: row.name } });
  });
