import { avatarFile, avatarUrl } from '../avatars/avatars.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';

const lighthouse = {
  id: '0198c7a5-0000-7c1e-9a53-2f4be3a0b2d7',
  display_name: 'Lighthouse',
  name: 'lighthouse',
  origin: 'appcenter',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
} as const;
const grace = {
  email: 'grace@example.com',
  display_name: 'Grace Hopper',
  joined_at: '2026-11-02T09:00:00.000Z',
  name: 'grace',
  role: 'collaborator',
} as const;

export const orgsExamples = {
  organizations_createOrUpdate: { body: { display_name: 'Lighthouse' }, response: lighthouse },
  organizations_list: { response: [{ display_name: 'Lighthouse', name: 'lighthouse', origin: 'appcenter' }] },
  organizations_listAdministered: { response: { organizations: [lighthouse] } },
  organizations_get: { params: { org_name: 'lighthouse' }, response: lighthouse },
  organizations_update: {
    params: { org_name: 'lighthouse' },
    body: { display_name: 'Lighthouse' },
    response: lighthouse,
  },
  organizations_delete: { params: { org_name: 'harbour' } },
  organization_updateAvatar: {
    params: { org_name: 'lighthouse' },
    body: avatarFile,
    response: { ...lighthouse, avatar_url: avatarUrl },
  },
  organization_deleteAvatar: { params: { org_name: 'lighthouse' }, response: lighthouse },
  users_listForOrg: { params: { org_name: 'lighthouse' }, response: [grace] },
  organizations_listMembers: {
    params: { org_name: 'lighthouse' },
    query: { search: 'grace', sort: 'joined_at' },
    response: {
      values: [{ id: '0198c7a2-6b00-7d52-8c1d-91d0a3f5c6e8', ...grace, is_service_account: false }],
      total: 1,
    },
  },
  users_getForOrg: { params: { org_name: 'lighthouse', user_name: 'grace' }, response: grace },
  users_updateOrgRole: {
    params: { org_name: 'lighthouse', user_name: 'grace' },
    body: { role: 'admin' },
    response: { ...grace, role: 'admin' },
  },
  users_removeFromOrg: { params: { org_name: 'lighthouse', user_name: 'grace' } },
} satisfies EndpointExamples<typeof import('./orgs.contract.ts')>;
