import type { EndpointExamples } from '../endpoint/example.ts';

const example = {
  id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e44',
  at: '2026-11-01T09:00:00.000Z',
  action: 'api_token.create',
  actor: { kind: 'user', user_id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7', name: 'ada', credential: 'session' },
  subject: { kind: 'api_token', id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b11', name: 'nightly build' },
  address: '127.0.0.1',
  request_id: 'k3v9x-1f',
  after: { kind: 'user', scope: 'viewer', last_four: 'upV1' },
} as const;
const page = { values: [example] };
const query = { limit: 50, action: 'api_token' };

export const auditExamples = {
  adminAudit_list: { query, response: page },
  orgAudit_list: { params: { org_name: 'lighthouse' }, query, response: page },
  appAudit_list: { params: { owner_name: 'ada', app_name: 'compass' }, query, response: page },
} satisfies EndpointExamples<typeof import('./audit.contract.ts')>;
