import {
  alertRules_create,
  alertRules_delete,
  alertRules_list,
  alertRules_test,
  alertRules_update,
  alerts_list,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, usePages } from './client.ts';

export type AlertRule = OutputOf<typeof alertRules_list>['values'][number];
export type NewAlertRule = InputOf<typeof alertRules_create>['body'];
export type AlertRuleChange = InputOf<typeof alertRules_update>['body'];
export type Alert = OutputOf<typeof alerts_list>['values'][number];

const keyOf = (appRef: AppRef) => [...appKey(appRef), 'alerts'];
const EVERY = 30_000;

/** Read again now and then: whoever looks waits for what becomes of it. */
export const useAlertRules = (params: AppRef, enabled = true) =>
  useQuery({
    enabled,
    queryKey: [...keyOf(params), 'rules'],
    queryFn: async () => (await call(alertRules_list, { params })).values,
    refetchInterval: EVERY,
  });

export const useAlerts = (params: AppRef) =>
  usePages<Alert>([...keyOf(params), 'history'], (cursor) =>
    call(alerts_list, { params, query: cursor ? { cursor } : {} }),
  );

export const useCreateAlertRule = (params: AppRef) =>
  useChange((body: NewAlertRule) => call(alertRules_create, { params, body }), keyOf(params));

export const useUpdateAlertRule = (params: AppRef) =>
  useChange(
    ({ rule, ...body }: { rule: AlertRule } & AlertRuleChange) =>
      call(alertRules_update, { params: { ...params, rule_id: rule.id }, body }),
    keyOf(params),
  );

export const useDeleteAlertRule = (params: AppRef) =>
  useChange((rule: AlertRule) => call(alertRules_delete, { params: { ...params, rule_id: rule.id } }), keyOf(params));

/** Whom it was sent to, and of which rule. */
export const useTestAlertRule = (params: AppRef) =>
  useChange(async (rule: AlertRule) => ({
    rule,
    ...(await call(alertRules_test, { params: { ...params, rule_id: rule.id }, body: {} })),
  }));
