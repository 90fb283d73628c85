import { type AlertKind, alertKinds } from '@mooring/contract';
import type { Ctx, Reading } from '../../context.ts';
import { eachRow } from '../../db/each-row.ts';
import { sweep } from '../../db/sweep.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY, MINUTE, toIso } from '../../kernel/clock.ts';
import { getAppRef } from '../apps/index.ts';
import { announceForApp, type ToldApp } from '../webhooks/index.ts';
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

const KEPT = 90 * DAY;

export const alertsEvaluate = defineSchedule('alert_rule.evaluate', 2 * MINUTE);

const isBeyond = ({ kind, threshold }: AlertRulesTable, value: number): boolean =>
  alertKinds[kind as AlertKind] === 'below' ? value < threshold : value > threshold;

const told = (rule: AlertRulesTable, alert: AlertsTable) => ({
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

/** Both in a transaction that holds the rule, whose alert they begin or end. */
async function startAlert(ctx: Ctx, rule: AlertRulesTable, { value, subject }: Reading): Promise<void> {
  const id = ctx.newId();
  const { ownerId } = await getAppRef(ctx, rule.app_id);
  const subscriptionId = rule.health_subscription_id;
  // An app that went to another owner tells nothing to the one before.
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
    ...told(rule, alert),
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
    ...told(rule, alert),
    ended_at: toIso(at),
  }));
}

/** As if it had begun to alert, just beyond its threshold. */
export async function announceTest(ctx: Ctx, rule: AlertRulesTable) {
  const alert: AlertsTable = {
    id: ctx.newId(),
    app_id: rule.app_id,
    rule_id: rule.id,
    threshold: rule.threshold,
    value: isBeyond(rule, rule.threshold + 1) ? rule.threshold + 1 : Math.max(0, rule.threshold - 1),
    subject: 'Somebody tests this rule; nothing is wrong.',
    // Without one, no health event is opened.
    tracking_id: null,
    started_at: ctx.clock.now(),
    ended_at: null,
  };
  const tell = ({ page }: ToldApp) => ({ url: page('alerts'), ...told(rule, alert) });
  const made = await announceForApp(ctx, 'alertStarted', rule.app_id, tell, { isTest: true });
  if (!made) throw new Error('an app is gone whose rule is locked');
  return made;
}

async function evaluate(ctx: Ctx, { id, app_id: appId, kind }: AlertRulesTable): Promise<void> {
  const gauge = ctx.gauges.find(({ name }) => name === kind);
  if (!gauge) throw new Error(`Nobody measures ${kind}.`);
  // Outside of the transaction: it may take a while.
  const reading = await gauge.read(ctx, appId);
  await tx(ctx, async (ctx) => {
    const rule = await lockRule.first(ctx.db, { id });
    if (rule?.is_enabled !== 1) return;
    const isKnown = 'value' in reading;
    const [last_value, unknown_reason] = isKnown ? [reading.value, null] : [null, reading.unknown];
    await updateRule.run(ctx.db, { id, last_value, unknown_reason, checked_at: ctx.clock.now() });
    // Without anything to look at nothing begins or ends.
    if (!isKnown) return;
    if (!isBeyond(rule, reading.value)) await endAlert(ctx, rule);
    else if (rule.alert_id === null) await startAlert(ctx, rule, reading);
  });
}

/** A rule keeps its last value; without one, people learn why. */
const noteFailure = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async ({ db }) => {
    await updateRule.run(db, { id, unknown_reason: 'The last check failed; the log of the server says why.' });
  });

/** Looks at every rule. One that cannot be looked at is told in the log, and keeps no other waiting. */
export async function evaluateRules(ctx: Ctx): Promise<void> {
  for await (const rule of eachRow(
    (page) => pageEnabledRules.all(ctx.db, page),
    ({ id }) => id,
  )) {
    await evaluate(ctx, rule).catch(async (err: unknown) => {
      ctx.log.error({ err, rule: rule.id }, 'an alert rule failed');
      await noteFailure(ctx, rule.id).catch((err: unknown) =>
        ctx.log.error({ err, rule: rule.id }, 'the failure of an alert rule could not be written'),
      );
    });
  }
  const before = ctx.clock.now() - KEPT;
  await sweep(ctx, (db, limit) => deleteOldAlerts.run(db, { before, limit }));
}
