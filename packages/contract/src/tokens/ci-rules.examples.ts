import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const body = {
  provider: 'github',
  claims: { repository: 'lighthouse/compass', ref: 'refs/heads/main' },
  permissions: ['releases:distribute', 'symbols:write'],
} as const;
const rule = {
  id: '0198c7d1-5b40-7c1e-9d42-6a8f03b7e511',
  ...body,
  issuer: 'https://token.actions.githubusercontent.com',
  created_by: 'ada',
  created_at: '2026-11-01T09:00:00.000Z',
};

export const ciRulesExamples = {
  ciRules_list: { params, response: { values: [rule] } },
  ciRules_create: { params, body, response: { ...rule, id: '0198c7d1-5b40-7c1e-9d42-6a8f03b7e512' } },
  ciRules_delete: { params: { ...params, ci_rule_id: rule.id } },
} satisfies EndpointExamples<typeof import('./ci-rules.contract.ts')>;
