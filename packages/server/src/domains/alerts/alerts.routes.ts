import {
  type AlertKind,
  alertRules_create,
  alertRules_delete,
  alertRules_list,
  alertRules_test,
  alertRules_update,
  alerts_list,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import {
  type AlertRow,
  type AlertRule,
  changeRule,
  createRule,
  listAlerts,
  listRules,
  removeRule,
  testRule,
} from './alert-rules.ts';

const toOptionalIso = (at: number | null | undefined) => (at == null ? undefined : toIso(at));

const stateInWire = (row: AlertRule) =>
  row.alert_id ? ('alerting' as const) : row.last_value === null ? ('unknown' as const) : ('ok' as const);

function stateReason(row: AlertRule): string | undefined {
  if (stateInWire(row) !== 'unknown') return undefined;
  if (row.is_enabled === 0) return 'The rule is disabled.';
  return row.unknown_reason ?? 'The rule has not been checked yet; rules are checked every two minutes.';
}

const ruleToWire = (row: AlertRule) => ({
  id: row.id,
  name: row.name,
  kind: row.kind as AlertKind,
  threshold: row.threshold,
  enabled: row.is_enabled === 1,
  health_subscription_id: row.health_subscription_id ?? undefined,
  state: stateInWire(row),
  state_reason: stateReason(row),
  since: toOptionalIso(row.since),
  last_value: row.last_value ?? undefined,
  checked_at: toOptionalIso(row.checked_at),
});

const alertToWire = (alert: AlertRow) => ({
  id: alert.id,
  rule_id: alert.rule_id,
  rule_name: alert.rule_name,
  kind: alert.kind as AlertKind,
  threshold: alert.threshold,
  value: alert.value,
  subject: alert.subject ?? undefined,
  started_at: toIso(alert.started_at),
  ended_at: toOptionalIso(alert.ended_at),
  tracking_id: alert.tracking_id ?? undefined,
});

const optional = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in K]?: V };

export const alertRoutes = [
  route(alertRules_list, async (ctx) => ({ values: (await listRules(ctx)).map(ruleToWire) })),
  route(alertRules_create, async (ctx, { body: { enabled, health_subscription_id, ...rule } }) =>
    ruleToWire(
      await createRule(ctx, {
        ...rule,
        ...optional('isEnabled', enabled),
        ...optional('subscriptionId', health_subscription_id),
      }),
    ),
  ),
  route(alertRules_update, async (ctx, { params, body: { enabled, health_subscription_id, ...rule } }) =>
    ruleToWire(
      await changeRule(ctx, params.rule_id, {
        ...rule,
        ...optional('isEnabled', enabled),
        ...optional('subscriptionId', health_subscription_id),
      }),
    ),
  ),
  route(alertRules_delete, (ctx, { params }) => removeRule(ctx, params.rule_id)),
  route(alertRules_test, (ctx, { params }) => testRule(ctx, params.rule_id)),
  route(alerts_list, async (ctx, { query }) => pageToWire(await listAlerts(ctx, query), alertToWire)),
];
