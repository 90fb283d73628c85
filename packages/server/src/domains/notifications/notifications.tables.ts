import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Email settings of a user, for all apps. */
export interface EmailSettingsTable {
  user_id: string;
  is_enabled: Flag;
  /** JSON: a value for each event that differs from the default. */
  choices: string;
}

/** Email settings of a user, for one app. */
export interface AppEmailSettingsTable extends EmailSettingsTable {
  app_id: string;
}

/** Announcements that wait for the daily summary. */
export interface DigestItemsTable {
  user_id: string;
  announcement_id: string;
  app_id: string;
  due_at: number;
}

/** Emails that were sent, so that a repeated job does not send them again. */
export interface MailedTable {
  what: string;
  at: number;
}

export const notificationsTables = defineTables<{
  email_settings: EmailSettingsTable;
  app_email_settings: AppEmailSettingsTable;
  digest_items: DigestItemsTable;
  mailed: MailedTable;
}>({
  email_settings: { personal: { by: { user_id: 'userId' } } },
  app_email_settings: { personal: { by: { user_id: 'userId' } } },
  digest_items: { personal: { by: { user_id: 'userId' } } },
  mailed: {},
});

export const { insertInto, query, statement } = accessTo(notificationsTables, accountsViews, appsViews);
