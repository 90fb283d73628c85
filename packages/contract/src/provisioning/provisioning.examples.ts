import type { EndpointExamples } from '../endpoint/example.ts';

const params = { org_name: 'lighthouse' };
const token = {
  id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9c01',
  description: 'Entra ID',
  created_at: '2026-11-01T09:00:00.000Z',
};
const domains = { domains: ['lighthouse.example'] };

export const provisioningExamples = {
  orgProvisioning_get: {
    params,
    response: {
      base_url: 'https://mooring.example.com/scim/v2/lighthouse',
      domains: domains.domains,
      users: 1200,
      groups: 14,
    },
  },
  orgScimTokens_list: {
    params,
    response: [{ ...token, last_four: '0spg', last_used_at: '2026-11-01T09:40:00.000Z', created_by: 'ada' }],
  },
  orgScimTokens_create: {
    params,
    body: { description: 'Entra ID' },
    response: { ...token, scim_token: 'moor_s_8JQf2mXb0v7TzKpY3nRcHsW1dLgA4i0N0spg' },
  },
  orgScimTokens_delete: { params: { ...params, scim_token_id: token.id } },
  adminOrgDomains_get: { params, response: domains },
  adminOrgDomains_set: { params, body: domains, response: domains },
} satisfies EndpointExamples<typeof import('./provisioning.contract.ts')>;
