import { avatarFile, avatarUrl } from '../avatars/avatars.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';

const compass = {
  id: '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d7',
  display_name: 'Compass',
  name: 'compass',
  os: 'Android',
  owner: {
    id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
    display_name: 'Ada Lovelace',
    email: 'ada@example.com',
    name: 'ada',
    type: 'user',
  },
  app_secret: '3f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11',
  platform: 'Java',
  origin: 'appcenter',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  member_permissions: ['manager'],
} as const;
const ofOrg = {
  ...compass,
  owner: {
    id: '0198c7a5-0000-7c1e-9a53-2f4be3a0b2d7',
    display_name: 'Lighthouse',
    name: 'lighthouse',
    type: 'org',
  },
} as const;
const path = { owner_name: 'ada', app_name: 'compass' };
const newApp = { display_name: 'Compass', os: 'Android', platform: 'Java' } as const;

export const appsExamples = {
  apps_list: { query: { $orderBy: 'name' }, response: [compass] },
  userApps_list: {
    query: { owner: 'ada', search: 'needle', sort: 'updated_at' },
    response: {
      values: [
        {
          id: compass.id,
          name: 'compass',
          display_name: 'Needle',
          os: 'Android',
          platform: 'Java',
          owner: { name: 'ada', display_name: 'Ada Lovelace', type: 'user' },
          permission: 'manager',
          created_at: '2026-11-01T09:00:00.000Z',
          updated_at: '2026-11-01T09:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
  apps_create: { body: newApp, response: compass },
  apps_listForOrg: { params: { org_name: 'lighthouse' }, query: { $orderBy: 'name' }, response: [ofOrg] },
  apps_createForOrg: { params: { org_name: 'lighthouse' }, body: newApp, response: ofOrg },
  apps_getForOrgUser: { params: { org_name: 'lighthouse', user_name: 'grace' }, response: [ofOrg] },
  apps_get: { params: path, response: compass },
  apps_update: { params: path, body: { display_name: 'Compass' }, response: compass },
  apps_delete: { params: path },
  apps_updateAvatar: {
    params: path,
    body: avatarFile,
    response: { ...compass, icon_url: avatarUrl, icon_source: 'uploaded' },
  },
  apps_deleteAvatar: { params: path, response: compass },
  apps_transferOwnership: {
    params: { ...path, destination_owner_name: 'harbour' },
    body: {},
    response: { ...ofOrg, owner: { ...ofOrg.owner, display_name: 'Harbour', name: 'harbour' } },
  },
  apps_transferToOrg: {
    params: path,
    body: {},
    response: {
      id: '0198c7a5-0000-7c1e-9a53-2f4be3a0b2d7',
      display_name: 'Compass',
      name: 'compass',
      origin: 'appcenter',
      created_at: '2026-11-01T09:00:00.000Z',
      updated_at: '2026-11-01T09:00:00.000Z',
    },
  },
  users_list: {
    params: path,
    response: [
      {
        id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
        name: 'ada',
        display_name: 'Ada Lovelace',
        email: 'ada@example.com',
        permissions: ['manager'],
        origin: 'appcenter',
      },
    ],
  },
  apps_removeUser: { params: { ...path, user_email: 'grace@example.com' }, query: {} },
  apps_updateUserPermissions: {
    params: { ...path, user_email: 'grace@example.com' },
    body: { permissions: ['manager'] },
  },
} satisfies EndpointExamples<typeof import('./apps.contract.ts')>;
