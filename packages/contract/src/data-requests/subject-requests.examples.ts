import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const request = {
  id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5eb1',
  kind: 'export',
  user_id: 'u-17',
  status: 'Completed',
  message: 'The export is ready.',
  records: 12,
  created_at: '2026-11-01T09:00:00.000Z',
  ended_at: '2026-11-01T09:00:04.000Z',
  url: 'https://mooring.example.com/downloads/c2VuZGVy/u-17.jsonl',
  expires_at: '2026-11-08T09:00:04.000Z',
} as const;

export const subjectRequestsExamples = {
  senderRequests_list: { params, response: { values: [request] } },
  senderRequests_create: { params, body: { kind: 'export', user_id: 'u-17' }, response: request },
  senderRequests_get: { params: { ...params, request_id: request.id }, response: request },
} satisfies EndpointExamples<typeof import('./subject-requests.contract.ts')>;
