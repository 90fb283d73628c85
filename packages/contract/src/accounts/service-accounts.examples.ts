import type { EndpointExamples } from '../endpoint/example.ts';

const path = { org_name: 'lighthouse', account_name: 'build-robot' };
const robot = {
  id: '0198c7a7-0000-7c1e-9a53-2f4be3a0b2d7',
  name: 'build-robot',
  display_name: 'Build robot',
  role: 'collaborator',
  created_at: '2026-11-01T09:00:00.000Z',
} as const;
const listed = {
  id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b13',
  description: 'nightly build',
  scope: ['all'] as const,
  created_at: '2026-11-01T09:00:00.000Z',
  last_four: 'upV1',
  created_by: 'build-robot',
};

export const serviceAccountsExamples = {
  serviceAccounts_list: { params: { org_name: 'lighthouse' }, query: {}, response: [robot] },
  serviceAccounts_create: {
    params: { org_name: 'lighthouse' },
    body: { display_name: 'Build robot' },
    response: robot,
  },
  serviceAccounts_delete: { params: path },
  serviceAccountTokens_list: { params: path, query: {}, response: [listed] },
  serviceAccountTokens_create: {
    params: path,
    body: { description: 'nightly build' },
    response: {
      id: listed.id,
      api_token: 'moor_u_8JQf2mXb0v7TzKpY3nRcHsW1dLgA4i2CupV1',
      description: 'nightly build',
      scope: ['all'] as const,
      created_at: listed.created_at,
    },
  },
  serviceAccountTokens_delete: { params: { ...path, api_token_id: listed.id } },
} satisfies EndpointExamples<typeof import('./service-accounts.contract.ts')>;
