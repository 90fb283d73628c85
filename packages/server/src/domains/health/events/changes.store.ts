import { type HealthChangesTable, insertInto, statement } from '../health.tables.ts';

export type ChangeRow = HealthChangesTable;

/** Finds any webhook that receives changes of health events. */
export const findListener = statement((q, p: { channel: string }) =>
  q.selectFrom('channel_endpoints').select('id').where('channel', '=', p.channel).where('is_enabled', '=', 1).limit(1),
);

export const insertChange = insertInto('health_changes');

export const findChangeRow = statement((q, p: { id: string }) =>
  q.selectFrom('health_changes').selectAll().where('id', '=', p.id),
);

export const deleteChanges = statement((q, p: { before: number }) =>
  q.deleteFrom('health_changes').where('at', '<', p.before),
);
