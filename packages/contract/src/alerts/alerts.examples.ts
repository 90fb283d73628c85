import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const one = { ...params, rule_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e91' };
const time = '2026-11-01T09:00:00.000Z';
const rule = {
  id: one.rule_id,
  name: 'Too many crashes',
  kind: 'crash_free_percent',
  threshold: 99.5,
  enabled: true,
  state: 'ok',
  last_value: 99.9,
  checked_at: time,
} as const;

export const alertsExamples = {
  alertRules_list: { params, response: { values: [rule] } },
  alertRules_create: {
    params,
    body: { name: rule.name, kind: rule.kind, threshold: rule.threshold },
    response: rule,
  },
  alertRules_update: { params: one, body: { threshold: 99.5 }, response: rule },
  alertRules_delete: { params: one },
  alertRules_test: {
    params: one,
    body: {},
    response: { webhooks: 1, mails: 2 },
  },
  alerts_list: {
    params,
    query: { limit: 50 },
    response: {
      values: [
        {
          id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e92',
          rule_id: one.rule_id,
          rule_name: rule.name,
          kind: rule.kind,
          threshold: rule.threshold,
          value: 98.1,
          started_at: time,
          ended_at: '2026-11-01T09:30:00.000Z',
        },
      ],
    },
  },
} satisfies EndpointExamples<typeof import('./alerts.contract.ts')>;
