import { sql } from 'kysely';
import { insertInto, statement } from './runners.tables.ts';

export const noteDeviceFailure = insertInto('runner_device_failures', (insert) =>
  insert.onConflict((c) =>
    c.columns(['runner_id', 'device_key']).doUpdateSet({
      count: sql<number>`runner_device_failures.count + 1`,
      last_at: sql<number>`excluded.last_at`,
    }),
  ),
);

export const deleteDeviceFailures = statement((q, p: { runnerId: string; key: string }) =>
  q.deleteFrom('runner_device_failures').where('runner_id', '=', p.runnerId).where('device_key', '=', p.key),
);

export const listDeviceFailures = statement((q, p: { runnerId: string }) =>
  q.selectFrom('runner_device_failures').selectAll().where('runner_id', '=', p.runnerId),
);
