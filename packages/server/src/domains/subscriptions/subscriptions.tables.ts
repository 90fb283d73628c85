import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, defineViews } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Subscriptions: readable by members of the owner and by users with read access. */
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

/** Users whom administrators allow to publish health events. */
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

/** Published for the stores of other domains. */
export const subscriptionsViews = defineViews<{
  subscription_names: Pick<SubscriptionsTable, 'id' | 'tenant_id' | 'owner_id' | 'display_name' | 'updated_at'>;
}>();

const access = accessTo(subscriptionsTables, accountsViews, appsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
