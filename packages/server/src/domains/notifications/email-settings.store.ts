import { inChunks } from '../../db/chunks.ts';
import type { Db } from '../../db/open.ts';
import { type EmailSettingsTable, insertInto, query, statement } from './notifications.tables.ts';

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

/** Of all who have some for an app. */
export const listAppSettings = statement((q, p: { appId: string }) =>
  q.selectFrom('app_email_settings').selectAll().where('app_id', '=', p.appId),
);

/** As it is kept; nothing of whoever never chose anything. */
export type KeptSettings = { [K in 'is_enabled' | 'choices']: EmailSettingsTable[K] | null };

/** Those of some people who can be told by mail, by their ids, with what they chose for all apps. */
export async function listReachable(db: Db, userIds: readonly string[]) {
  const found = new Map<string, KeptSettings>();
  await inChunks(userIds, async (some) => {
    const rows = await query(db, (q) =>
      q
        .selectFrom('users')
        .leftJoin('email_settings', 'email_settings.user_id', 'users.id')
        .select(['users.id', 'email_settings.is_enabled', 'email_settings.choices'])
        .where('users.id', 'in', some)
        .where('users.is_disabled', '=', 0)
        .where('users.is_email_verified', '=', 1),
    );
    for (const { id, ...kept } of rows) found.set(id, kept);
  });
  return found;
}

export const findReader = statement((q, p: { userId: string }) =>
  q
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', p.userId)
    .where('is_disabled', '=', 0)
    .where('is_email_verified', '=', 1),
);
