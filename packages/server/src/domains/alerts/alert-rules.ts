import { ALERT_RULES_PER_APP, type AlertKind } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { subscribers } from '../../extensions/subscribers.ts';
import { badRequest, conflict, forbidden, notFound } from '../../kernel/errors.ts';
import { decodeCursor, type Page, readPage } from '../../kernel/paging.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { countListeningWebhooks } from '../webhooks/index.ts';
import {
  deleteRule,
  findAlert,
  findOwnedSubscription,
  insertRule,
  listAppRules,
  lockRule,
  pageAlerts,
  updateRule,
} from './alerts.store.ts';
import type { AlertRulesTable } from './alerts.tables.ts';
import { announceTest, endAlert } from './evaluation.ts';

/** A rule, with the start of its current alert. */
export type AlertRule = AlertRulesTable & { since: number | null };

export type AlertRow = Awaited<ReturnType<typeof pageAlerts.all>>[number];

/** Publishing events to all readers of a subscription requires a manager of the app, and the same owner. */
async function checkSubscription(ctx: AppCtx, id: string): Promise<void> {
  if (ctx.permission !== 'manager')
    throw forbidden(
      'Only managers of the app can link a rule to health events. Omit health_subscription_id, or ask a manager.',
    );
  if (!(await findOwnedSubscription.first(ctx.db, { id, ownerId: ctx.app.ownerId }))) {
    throw badRequest(`health_subscription_id: ${ctx.app.ownerName} has no subscription with this ID.`);
  }
}

const audited = ({ name, kind, threshold, is_enabled, health_subscription_id }: AlertRulesTable) => ({
  name,
  kind,
  threshold,
  enabled: is_enabled === 1,
  health_subscription_id,
});

async function lockAppRule(ctx: AppCtx, id: string): Promise<AlertRulesTable> {
  const row = await lockRule.first(ctx.db, { id });
  if (row?.app_id !== ctx.app.id) throw notFound('alert rule', id);
  return row;
}

export const listRules = (ctx: AppCtx): Promise<AlertRule[]> => listAppRules.all(ctx.db, { appId: ctx.app.id });

export interface NewRule {
  name: string;
  kind: AlertKind;
  threshold: number;
  isEnabled?: boolean;
  subscriptionId?: string;
}

export const createRule = (
  ctx: AppCtx,
  { name, kind, threshold, isEnabled = true, subscriptionId }: NewRule,
): Promise<AlertRule> =>
  tx(ctx, async (ctx) => {
    if (subscriptionId !== undefined) await checkSubscription(ctx, subscriptionId);
    await lock(ctx, 'alert-rules', ctx.app.id);
    if ((await listRules(ctx)).length >= ALERT_RULES_PER_APP) {
      throw conflict(`An app can have at most ${ALERT_RULES_PER_APP} alert rules. Delete one first.`);
    }
    const row: AlertRulesTable = {
      id: ctx.newId(),
      app_id: ctx.app.id,
      name: name.trim(),
      kind,
      threshold,
      is_enabled: isEnabled ? 1 : 0,
      health_subscription_id: subscriptionId ?? null,
      alert_id: null,
      last_value: null,
      checked_at: null,
      unknown_reason: null,
    };
    await insertRule.run(ctx.db, row);
    await record(ctx, 'alert_rule.create', appSubject(ctx.app), { after: audited(row) });
    return { ...row, since: null };
  });

export interface RuleChange {
  name?: string;
  threshold?: number;
  isEnabled?: boolean;
  /** Null removes the subscription. */
  subscriptionId?: string | null;
}

export const changeRule = (ctx: AppCtx, id: string, change: RuleChange): Promise<AlertRule> =>
  tx(ctx, async (ctx) => {
    const { name, threshold, isEnabled, subscriptionId } = change;
    const before = await lockAppRule(ctx, id);
    if (typeof subscriptionId === 'string') await checkSubscription(ctx, subscriptionId);
    const is_enabled = isEnabled === undefined ? before.is_enabled : isEnabled ? (1 as const) : (0 as const);
    if (is_enabled === 0) await endAlert(ctx, before);
    await updateRule.run(ctx.db, {
      id,
      name: name?.trim() ?? before.name,
      threshold: threshold ?? before.threshold,
      is_enabled,
      health_subscription_id: subscriptionId === undefined ? before.health_subscription_id : subscriptionId,
    });
    const after = await lockAppRule(ctx, id);
    await record(ctx, 'alert_rule.update', appSubject(ctx.app), { before: audited(before), after: audited(after) });
    const alert = after.alert_id === null ? undefined : await findAlert.first(ctx.db, { id: after.alert_id });
    return { ...after, since: alert?.started_at ?? null };
  });

export const removeRule = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await lockAppRule(ctx, id);
    await endAlert(ctx, row);
    await deleteRule.run(ctx.db, { id });
    await record(ctx, 'alert_rule.delete', appSubject(ctx.app), { before: audited(row) });
  });

/** Sends a test to the recipients of alerts, without starting an alert. */
export const testRule = (ctx: AppCtx, id: string): Promise<{ webhooks: number; mails: number }> =>
  tx(ctx, async (ctx) => {
    const rule = await lockAppRule(ctx, id);
    const sent = await announceTest(ctx, rule);
    const counts = await Promise.all(subscribers.list(ctx).map(({ count }) => count(ctx, rule.app_id, sent.type)));
    const mails = counts.reduce((sum, count) => sum + count, 0);
    const webhooks = await countListeningWebhooks(ctx, sent);
    await record(ctx, 'alert_rule.test', appSubject(ctx.app), { after: { rule: id, webhooks, mails } });
    return { webhooks, mails };
  });

/** Sorts after every ID. */
const LAST = '~';

export function listAlerts(
  ctx: AppCtx,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Page<AlertRow>> {
  const before = cursor ? String(decodeCursor(cursor, ['string'])[0]) : LAST;
  return readPage(
    limit,
    (rows) => pageAlerts.all(ctx.db, { appId: ctx.app.id, before, limit: rows }),
    ({ id }) => [id],
    (alert) => alert,
  );
}
