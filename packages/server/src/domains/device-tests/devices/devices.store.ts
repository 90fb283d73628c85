import { insertInto, statement, type TestDeviceSetsTable } from '../device-tests.tables.ts';

export type DeviceSetRow = TestDeviceSetsTable;

export const insertSelection = insertInto('test_device_selections', (insert) =>
  insert.onConflict((c) => c.columns(['app_id', 'short_id']).doNothing()),
);

export const findSelection = statement((q, p: { appId: string; shortId: string }) =>
  q
    .selectFrom('test_device_selections')
    .select('devices')
    .where('app_id', '=', p.appId)
    .where('short_id', '=', p.shortId),
);

export const insertDeviceSet = insertInto('test_device_sets');

export const listDeviceSetRows = statement((q, p: { ownerId: string; limit: number }) =>
  q
    .selectFrom('test_device_sets')
    .selectAll()
    .where('owner_id', '=', p.ownerId)
    .orderBy('name')
    .orderBy('id')
    .limit(p.limit),
);

export const findDeviceSetRow = statement((q, p: { ownerId: string; id: string }) =>
  q.selectFrom('test_device_sets').selectAll().where('owner_id', '=', p.ownerId).where('id', '=', p.id),
);

export const findDeviceSetBySlug = statement((q, p: { ownerName: string; slug: string }) =>
  q
    .selectFrom('test_device_sets')
    .innerJoin('owner_names', 'owner_names.id', 'test_device_sets.owner_id')
    .select(['test_device_sets.devices', 'test_device_sets.owner_id'])
    .where('owner_names.name_key', '=', p.ownerName)
    .where('test_device_sets.slug', '=', p.slug),
);

export const saveDeviceSet = statement((q, p: DeviceSetRow) =>
  q.updateTable('test_device_sets').set({ name: p.name, slug: p.slug, devices: p.devices }).where('id', '=', p.id),
);

export const deleteDeviceSetRow = statement((q, p: { id: string }) =>
  q.deleteFrom('test_device_sets').where('id', '=', p.id),
);

export const findSetOwner = statement((q, p: { id: string }) =>
  q.selectFrom('owner_names').select(['id', 'kind', 'name', 'display_name']).where('id', '=', p.id),
);
