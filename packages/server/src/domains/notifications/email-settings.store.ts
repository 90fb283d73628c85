import { insertInto, statement } from './notifications.tables.ts';

export const findUserSettings = statement((q, p: { userId: string }) =>
  q.selectFrom('email_settings').selectAll().where('user_id', '=', p.userId),
);

export const saveUserSettings = insertInto('email_settings', (insert, p) =>
  insert.onConflict((c) => c.column('user_id').doUpdateSet({ is_enabled: p.is_enabled, choices: p.choices })),
);

export const findAppSettings = statement((q, p: { appId: string; userId: string }) =>
  q.selectFrom('app_email_settings').selectAll().where('app_id', '=', p.appId).where('user_id', '=', p.userId),
);

export const saveAppSettings = insertInto('app_email_settings', (insert, p) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'user_id']).doUpdateSet({ is_enabled: p.is_enabled, choices: p.choices }),
  ),
);

export const findReader = statement((q, p: { userId: string }) =>
  q
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', p.userId)
    .where('is_disabled', '=', 0)
    .where('is_email_verified', '=', 1),
);
