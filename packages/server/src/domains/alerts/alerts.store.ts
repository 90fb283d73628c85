import type { Db } from '../../db/open.ts';
import { lockRows } from '../../db/portable.ts';
import { insertInto, query, statement, updateRow } from './alerts.tables.ts';

export const insertRule = insertInto('alert_rules');
export const updateRule = updateRow('alert_rules');

/** Rules of an app, with the start of their current alerts. */
export const listAppRules = statement((q, p: { appId: string }) =>
  q
    .selectFrom('alert_rules')
    .leftJoin('alerts', 'alerts.id', 'alert_rules.alert_id')
    .selectAll('alert_rules')
    .select('alerts.started_at as since')
    .where('alert_rules.app_id', '=', p.appId)
    .orderBy('alert_rules.id'),
);

export const lockRule = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('alert_rules').selectAll().where('id', '=', p.id)),
);

export const deleteRule = statement((q, p: { id: string }) => q.deleteFrom('alert_rules').where('id', '=', p.id));

export const pageEnabledRules = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('alert_rules')
    .selectAll()
    .where('is_enabled', '=', 1)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const insertAlert = insertInto('alerts');

export const findAlert = statement((q, p: { id: string }) => q.selectFrom('alerts').selectAll().where('id', '=', p.id));

export const endAlertRow = statement((q, p: { id: string; at: number }) =>
  q.updateTable('alerts').set({ ended_at: p.at }).where('id', '=', p.id),
);

/** Newest first, before a position. */
export const pageAlerts = statement((q, p: { appId: string; before: string; limit: number }) =>
  q
    .selectFrom('alerts')
    .innerJoin('alert_rules', 'alert_rules.id', 'alerts.rule_id')
    .selectAll('alerts')
    .select(['alert_rules.name as rule_name', 'alert_rules.kind'])
    .where('alerts.app_id', '=', p.appId)
    .where('alerts.id', '<', p.before)
    .orderBy('alerts.id', 'desc')
    .limit(p.limit),
);

export const deleteOldAlerts = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('alerts')
    .where(
      'id',
      'in',
      q.selectFrom('alerts').select('id').where('ended_at', '<', p.before).orderBy('ended_at').limit(p.limit),
    ),
);

export const findOwnedSubscription = statement((q, p: { id: string; ownerId: string }) =>
  q.selectFrom('subscription_names').select('id').where('id', '=', p.id).where('owner_id', '=', p.ownerId),
);

export const countAlertingRules = (db: Db, appIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('alert_rules')
      .select(({ fn }) => ['alert_rules.app_id', fn.countAll<number>().as('count')])
      .where('alert_rules.app_id', 'in', appIds)
      .where('alert_rules.is_enabled', '=', 1)
      .where('alert_rules.alert_id', 'is not', null)
      .groupBy('alert_rules.app_id'),
  );
