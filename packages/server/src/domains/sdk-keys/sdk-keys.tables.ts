import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** The number of an app in its DSN. */
export interface SdkProjectsTable {
  id: number;
  app_id: string;
}

export interface SdkKeysTable {
  /** 32 hexadecimal digits in lower case. */
  public_key: string;
  app_id: string;
  name: string;
  is_enabled: Flag;
  created_at: number;
  /** When a revoked key stops working; null if it is not revoked. */
  ends_at: number | null;
}

export const sdkKeysTables = defineTables<{ sdk_projects: SdkProjectsTable; sdk_keys: SdkKeysTable }>({
  // Unknown IDs are cached only briefly; the keys of an app are cached together.
  sdk_projects: { grants: { newRows: false } },
  sdk_keys: { grants: { except: ['name'] } },
});

/** The tables of this domain and the published views that its stores may use. */
export const { insertInto, query, statement } = accessTo(sdkKeysTables, appsViews, accountsViews);
