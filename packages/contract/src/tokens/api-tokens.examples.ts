import type { EndpointExamples } from '../endpoint/example.ts';

const created = {
  id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b11',
  api_token: 'moor_u_8JQf2mXb0v7TzKpY3nRcHsW1dLgA4i2CupV1',
  description: 'nightly build',
  scope: ['viewer'] as const,
  created_at: '2026-11-01T09:00:00.000Z',
};
const listed = {
  id: created.id,
  description: created.description,
  scope: created.scope,
  created_at: created.created_at,
  last_used_at: '2026-11-01T09:40:00.000Z',
  last_four: 'upV1',
  created_by: 'ada',
};
const ofApp = { id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b12' };
const appExample = { owner_name: 'ada', app_name: 'compass' };
const ofMary = { ...listed, id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b47', created_by: 'mary' };
const mary = { user_id: '0198c7a2-7d10-7a44-9c3b-6d1e8f2a4b56' };
const createBody = { description: 'nightly build', scope: ['viewer'] } as const;

export const apiTokensExamples = {
  userApiTokens_list: { query: {}, response: [listed] },
  userApiTokens_create: { body: createBody, response: created },
  userApiTokens_delete: { params: { api_token_id: created.id } },
  appApiTokens_list: { params: appExample, query: {}, response: [{ ...listed, ...ofApp, last_four: '0spg' }] },
  appApiTokens_create: {
    params: appExample,
    body: createBody,
    response: { ...created, ...ofApp, api_token: 'moor_a_8JQf2mXb0v7TzKpY3nRcHsW1dLgA4i0N0spg' },
  },
  appApiTokens_delete: { params: { ...appExample, api_token_id: ofApp.id } },
  adminUserTokens_list: {
    params: mary,
    query: {},
    response: [ofMary, { ...ofMary, ...ofApp, last_four: '0spg', app: 'lighthouse/compass' }],
  },
  adminUserTokens_delete: { params: { ...mary, api_token_id: ofMary.id } },
  adminUserTokens_deleteAll: { params: mary },
} satisfies EndpointExamples<typeof import('./api-tokens.contract.ts')>;
