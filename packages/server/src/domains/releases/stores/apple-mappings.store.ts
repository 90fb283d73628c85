import { insertInto, statement } from '../releases.tables.ts';

export const findAppleMapping = statement((q, p: { appId: string }) =>
  q.selectFrom('apple_mappings').selectAll().where('app_id', '=', p.appId),
);

export const saveAppleMapping = insertInto('apple_mappings', (insert, p) =>
  insert.onConflict((c) =>
    c.column('app_id').doUpdateSet({
      service_connection_id: p.service_connection_id,
      apple_id: p.apple_id,
      bundle_identifier: p.bundle_identifier,
      team_identifier: p.team_identifier,
      test_flight_groups: p.test_flight_groups,
    }),
  ),
);

export const deleteAppleMapping = statement((q, p: { appId: string }) =>
  q.deleteFrom('apple_mappings').where('app_id', '=', p.appId),
);
