import type { Kysely } from 'kysely';
import { insertInto, statement, type Tables } from '../releases.tables.ts';

const selectDevices = (q: Kysely<Tables>) =>
  q
    .selectFrom('devices')
    .innerJoin('owner_names', 'owner_names.id', 'devices.user_id')
    .selectAll('devices')
    .select('owner_names.display_name as owner_name');

export const listUserDeviceRows = statement((q, p: { userId: string }) =>
  selectDevices(q)
    .where('devices.user_id', '=', p.userId)
    .orderBy('devices.registered_at', 'desc')
    .orderBy('devices.udid'),
);

export const findDevice = statement((q, p: { userId: string; udid: string }) =>
  selectDevices(q).where('devices.user_id', '=', p.userId).where('devices.udid', '=', p.udid),
);

export const listGroupDeviceRows = statement((q, p: { groupId: string }) =>
  selectDevices(q)
    .where(
      'devices.user_id',
      'in',
      q.selectFrom('group_members').select('group_members.user_id').where('group_members.group_id', '=', p.groupId),
    )
    .orderBy('owner_names.display_name')
    .orderBy('devices.udid'),
);

export const saveDevice = insertInto('devices', (insert, p) =>
  insert.onConflict((c) =>
    c.columns(['user_id', 'udid']).doUpdateSet({
      model: p.model,
      os_build: p.os_build,
      os_version: p.os_version,
      serial: p.serial,
      imei: p.imei,
    }),
  ),
);

export const deleteDevice = statement((q, p: { userId: string; udid: string }) =>
  q.deleteFrom('devices').where('user_id', '=', p.userId).where('udid', '=', p.udid),
);
