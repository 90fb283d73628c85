import type { Db } from '../../db/open.ts';
import { inChunks } from '../../db/rows/chunks.ts';
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

/** Lists the settings of all users who have some for an app. */
export const listAppSettings = statement((q, p: { appId: string }) =>
  q.selectFrom('app_email_settings').selectAll().where('app_id', '=', p.appId),
);

/** Settings in stored form; null for users without any. */
export type StoredSettings = { [K in 'is_enabled' | 'choices']: EmailSettingsTable[K] | null };

/** Lists those of the users who can receive emails, by ID, with their settings for all apps. */
export async function listMailableUsers(db: Db, userIds: readonly string[]) {
  const found = new Map<string, StoredSettings>();
  await inChunks(userIds, async (some) => {
    const rows = await query(db, (q) =>
      q
        .selectFrom('people')
        .leftJoin('email_settings', 'email_settings.user_id', 'people.id')
        .select(['people.id', 'email_settings.is_enabled', 'email_settings.choices'])
        .where('people.id', 'in', some)
        .where('people.is_disabled', '=', 0)
        .where('people.is_email_verified', '=', 1),
    );
    for (const { id, ...settings } of rows) found.set(id, settings);
  });
  return found;
}

export const findReader = statement((q, p: { userId: string }) =>
  q
    .selectFrom('people')
    .select(['id', 'email'])
    .where('id', '=', p.userId)
    .where('is_disabled', '=', 0)
    .where('is_email_verified', '=', 1),
);
