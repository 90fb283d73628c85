import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** Of what somebody gets mails, for all apps. */
export interface EmailSettingsTable {
  user_id: string;
  is_enabled: Flag;
  /** JSON: a value for each event that is not as it is by default. */
  choices: string;
}

/** And for one app. */
export interface AppEmailSettingsTable extends EmailSettingsTable {
  app_id: string;
}

/** What waits for the mail of a day. */
export interface DigestItemsTable {
  user_id: string;
  announcement_id: string;
  app_id: string;
  due_at: number;
}

/** What was mailed, so that a job that is run again mails nothing twice. */
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

/** What stores of this domain can name. */
export const { insertInto, query, statement } = accessTo(notificationsTables, accountsTables, appsTables);
