import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsTables } from '../apps/apps.tables.ts';
import { subscriptionsTables } from '../subscriptions/subscriptions.tables.ts';

/** What an app is watched for. */
export interface AlertRulesTable {
  id: string;
  app_id: string;
  name: string;
  kind: string;
  threshold: number;
  is_enabled: Flag;
  /** Whose readers see a health event as long as it alerts. */
  health_subscription_id: string | null;
  /** The alert that lasts. */
  alert_id: string | null;
  last_value: number | null;
  checked_at: number | null;
  /** Why there is no value, as a sentence. */
  unknown_reason: string | null;
}

/** That a rule alerted, from when to when. */
export interface AlertsTable {
  id: string;
  app_id: string;
  rule_id: string;
  threshold: number;
  value: number;
  subject: string | null;
  /** Of the health event. */
  tracking_id: string | null;
  started_at: number;
  ended_at: number | null;
}

export const alertsTables = defineTables<{ alert_rules: AlertRulesTable; alerts: AlertsTable }>({
  alert_rules: {},
  alerts: {},
});

/** What stores of this domain can name. */
export const { insertInto, query, statement, updateRow } = accessTo(alertsTables, appsTables, subscriptionsTables);
