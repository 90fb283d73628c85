import {
  alertRules_create,
  alertRules_delete,
  alertRules_list,
  alertRules_test,
  alertRules_update,
  alerts_list,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, usePages } from '../client.ts';

export type AlertRule = EndpointOutput<typeof alertRules_list>['values'][number];
export type NewAlertRule = EndpointInput<typeof alertRules_create>['body'];
export type AlertRuleChange = EndpointInput<typeof alertRules_update>['body'];
export type Alert = EndpointOutput<typeof alerts_list>['values'][number];

const alertsKey = (appRef: AppRef) => [...appKey(appRef), 'alerts'];
const POLL_INTERVAL_MS = 30_000;

/** Polls, because the user waits for the result. */
export const useAlertRules = (params: AppRef, enabled = true) =>
  useQuery({
    enabled,
    queryKey: [...alertsKey(params), 'rules'],
    queryFn: async () => (await call(alertRules_list, { params })).values,
    refetchInterval: POLL_INTERVAL_MS,
  });

export const useAlerts = (params: AppRef) =>
  usePages<Alert>([...alertsKey(params), 'history'], (cursor) =>
    call(alerts_list, { params, query: cursor ? { cursor } : {} }),
  );

export const useCreateAlertRule = (params: AppRef) =>
  useChange((body: NewAlertRule) => call(alertRules_create, { params, body }), alertsKey(params));

export const useUpdateAlertRule = (params: AppRef) =>
  useChange(
    ({ rule, ...body }: { rule: AlertRule } & AlertRuleChange) =>
      call(alertRules_update, { params: { ...params, rule_id: rule.id }, body }),
    alertsKey(params),
  );

export const useDeleteAlertRule = (params: AppRef) =>
  useChange(
    (rule: AlertRule) => call(alertRules_delete, { params: { ...params, rule_id: rule.id } }),
    alertsKey(params),
  );

/** The rule, and the recipients of its test message. */
export const useTestAlertRule = (params: AppRef) =>
  useChange(async (rule: AlertRule) => ({
    rule,
    ...(await call(alertRules_test, { params: { ...params, rule_id: rule.id }, body: {} })),
  }));
