import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** Who reads which health events: whoever belongs to the owner, and whoever was given read access. */
export interface SubscriptionsTable {
  id: string;
  tenant_id: string;
  display_name: string;
  owner_id: string;
  created_at: number;
  updated_at: number;
}

export interface SubscriptionReadersTable {
  subscription_id: string;
  user_id: string;
  created_at: number;
}

export interface AppSubscriptionsTable {
  app_id: string;
  subscription_id: string;
  linked_at: number;
}

/** People whom administrators let publish health events. */
export interface HealthOperatorsTable {
  user_id: string;
  created_at: number;
}

export const subscriptionsTables = defineTables<{
  subscriptions: SubscriptionsTable;
  subscription_readers: SubscriptionReadersTable;
  app_subscriptions: AppSubscriptionsTable;
  health_operators: HealthOperatorsTable;
}>({
  subscriptions: { grants: true, personal: { by: { owner_id: 'userId' } } },
  subscription_readers: { grants: true, personal: { by: { user_id: 'userId' } } },
  app_subscriptions: { responses: true },
  health_operators: { grants: true, personal: { by: { user_id: 'userId' } } },
});

/** What stores of this domain can name. */
const access = accessTo(subscriptionsTables, accountsTables, appsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
