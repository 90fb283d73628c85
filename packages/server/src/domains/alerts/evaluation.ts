import { type AlertKind, alertKinds } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { eachRow } from '../../db/rows/each-row.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { tx } from '../../db/tx.ts';
import { alertGauges, type GaugeReading } from '../../extensions/alert-gauges.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY, MINUTE, toIso } from '../../kernel/clock.ts';
import { getAppRef } from '../apps/index.ts';
import { type AnnouncedApp, announceForApp } from '../webhooks/index.ts';
import {
  deleteOldAlerts,
  endAlertRow,
  findAlert,
  findOwnedSubscription,
  insertAlert,
  lockRule,
  pageEnabledRules,
  updateRule,
} from './alerts.store.ts';
import type { AlertRulesTable, AlertsTable } from './alerts.tables.ts';

const ALERT_RETENTION = 90 * DAY;

export const alertsEvaluate = defineSchedule('alert_rule.evaluate', 2 * MINUTE);

const isBeyond = ({ kind, threshold }: AlertRulesTable, value: number): boolean =>
  alertKinds[kind as AlertKind] === 'below' ? value < threshold : value > threshold;

const toAnnouncementData = (rule: AlertRulesTable, alert: AlertsTable) => ({
  alert_id: alert.id,
  rule_id: rule.id,
  rule_name: rule.name,
  kind: rule.kind as AlertKind,
  threshold: alert.threshold,
  value: alert.value,
  ...(alert.subject ? { subject: alert.subject } : {}),
  started_at: toIso(alert.started_at),
  ...(alert.tracking_id && rule.health_subscription_id
    ? { tracking_id: alert.tracking_id, health_subscription_id: rule.health_subscription_id }
    : {}),
});

/** Starts an alert. The caller's transaction holds the lock of the rule. */
async function startAlert(ctx: Ctx, rule: AlertRulesTable, { value, subject }: GaugeReading): Promise<void> {
  const id = ctx.newId();
  const { ownerId } = await getAppRef(ctx, rule.app_id);
  const subscriptionId = rule.health_subscription_id;
  // After a transfer, the app no longer publishes to the previous owner's subscription.
  const isOwned =
    subscriptionId !== null && (await findOwnedSubscription.first(ctx.db, { id: subscriptionId, ownerId }));
  const alert: AlertsTable = {
    id,
    app_id: rule.app_id,
    rule_id: rule.id,
    threshold: rule.threshold,
    value,
    subject: subject ?? null,
    tracking_id: isOwned ? `ALERT-${id}` : null,
    started_at: ctx.clock.now(),
    ended_at: null,
  };
  await insertAlert.run(ctx.db, alert);
  await updateRule.run(ctx.db, { id: rule.id, alert_id: id });
  await announceForApp(ctx, 'alertStarted', rule.app_id, ({ page }) => ({
    url: page('alerts'),
    ...toAnnouncementData(rule, alert),
  }));
}

export async function endAlert(ctx: Ctx, rule: AlertRulesTable): Promise<void> {
  const alert = rule.alert_id === null ? undefined : await findAlert.first(ctx.db, { id: rule.alert_id });
  if (!alert) return;
  const at = ctx.clock.now();
  await endAlertRow.run(ctx.db, { id: alert.id, at });
  await updateRule.run(ctx.db, { id: rule.id, alert_id: null });
  await announceForApp(ctx, 'alertEnded', rule.app_id, ({ page }) => ({
    url: page('alerts'),
    ...toAnnouncementData(rule, alert),
    ended_at: toIso(at),
  }));
}

/** Announces a test: as if the rule had started to alert, just beyond its threshold. */
export async function announceTest(ctx: Ctx, rule: AlertRulesTable) {
  const alert: AlertsTable = {
    id: ctx.newId(),
    app_id: rule.app_id,
    rule_id: rule.id,
    threshold: rule.threshold,
    value: isBeyond(rule, rule.threshold + 1) ? rule.threshold + 1 : Math.max(0, rule.threshold - 1),
    subject: 'This is a test of the rule. No action is needed.',
    // Prevents a health event.
    tracking_id: null,
    started_at: ctx.clock.now(),
    ended_at: null,
  };
  const describeAlert = ({ page }: AnnouncedApp) => ({ url: page('alerts'), ...toAnnouncementData(rule, alert) });
  const made = await announceForApp(ctx, 'alertStarted', rule.app_id, describeAlert, { isTest: true });
  if (!made) throw new Error('the app of a locked rule does not exist');
  return made;
}

async function evaluate(ctx: Ctx, { id, app_id: appId, kind }: AlertRulesTable): Promise<void> {
  const gauge = alertGauges.list(ctx).find(({ name }) => name === kind);
  if (!gauge) throw new Error(`No gauge measures ${kind}.`);
  // Outside of the transaction, because it may take a while.
  const reading = await gauge.read(ctx, appId);
  await tx(ctx, async (ctx) => {
    const rule = await lockRule.first(ctx.db, { id });
    if (rule?.is_enabled !== 1) return;
    const isKnown = 'value' in reading;
    const [last_value, unknown_reason] = isKnown ? [reading.value, null] : [null, reading.unknown];
    await updateRule.run(ctx.db, { id, last_value, unknown_reason, checked_at: ctx.clock.now() });
    // Without a value, alerts neither start nor end.
    if (!isKnown) return;
    if (!isBeyond(rule, reading.value)) await endAlert(ctx, rule);
    else if (rule.alert_id === null) await startAlert(ctx, rule, reading);
  });
}

/** Keeps the last value of the rule; stores why there is no new one. */
const noteFailure = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async ({ db }) => {
    await updateRule.run(db, { id, unknown_reason: 'The last check failed. See the server log for the reason.' });
  });

/** Evaluates all rules. A failing rule is logged and does not delay the others. */
export async function evaluateRules(ctx: Ctx): Promise<void> {
  for await (const rule of eachRow(
    (page) => pageEnabledRules.all(ctx.db, page),
    ({ id }) => id,
  )) {
    await evaluate(ctx, rule).catch(async (err: unknown) => {
      ctx.log.error({ err, rule: rule.id }, 'failed to evaluate an alert rule');
      await noteFailure(ctx, rule.id).catch((err: unknown) =>
        ctx.log.error({ err, rule: rule.id }, 'failed to save the failure of an alert rule'),
      );
    });
  }
  const before = ctx.clock.now() - ALERT_RETENTION;
  await sweep(ctx, (db, limit) => deleteOldAlerts.run(db, { before, limit }));
}
