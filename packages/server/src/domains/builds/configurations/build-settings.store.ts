import { type BuildSettingsTable, insertInto, statement } from '../builds.tables.ts';

export type BuildSettingsRow = BuildSettingsTable;

export const saveBuildSettings = insertInto('build_settings', (insert, p) =>
  insert.onConflict((c) =>
    c.column('app_id').doUpdateSet({ settings: p.settings, secrets: p.secrets, changed_at: p.changed_at }),
  ),
);

export const findBuildSettings = statement((q, p: { appId: string }) =>
  q.selectFrom('build_settings').selectAll().where('app_id', '=', p.appId),
);
