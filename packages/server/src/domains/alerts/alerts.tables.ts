import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsViews } from '../apps/apps.tables.ts';
import { subscriptionsViews } from '../subscriptions/subscriptions.tables.ts';

/** A gauge of an app and its threshold. */
export interface AlertRulesTable {
  id: string;
  app_id: string;
  name: string;
  kind: string;
  threshold: number;
  is_enabled: Flag;
  /** Subscription of the health event that is open during an alert. */
  health_subscription_id: string | null;
  /** The current alert. */
  alert_id: string | null;
  last_value: number | null;
  checked_at: number | null;
  /** The reason why there is no value, as a sentence. */
  unknown_reason: string | null;
}

/** One alert of a rule, with its start and end. */
export interface AlertsTable {
  id: string;
  app_id: string;
  rule_id: string;
  threshold: number;
  value: number;
  subject: string | null;
  /** Tracking ID of the health event. */
  tracking_id: string | null;
  started_at: number;
  ended_at: number | null;
}

export const alertsTables = defineTables<{ alert_rules: AlertRulesTable; alerts: AlertsTable }>({
  alert_rules: {},
  alerts: {},
});

export const { insertInto, query, statement, updateRow } = accessTo(alertsTables, appsViews, subscriptionsViews);
