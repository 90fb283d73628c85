import type { EndpointExamples } from '../endpoint/example.ts';

const pilots = {
  id: '0198c7a7-0000-7c1e-9a53-2f4be3a0b2d7',
  name: 'pilots',
  display_name: 'Pilots',
  description: 'Steer the ships.',
} as const;
const grace = {
  email: 'grace@example.com',
  display_name: 'Grace Hopper',
  name: 'grace',
  role: 'collaborator',
} as const;
const ada = {
  email: 'ada@example.com',
  display_name: 'Ada Lovelace',
  name: 'ada',
  role: 'maintainer',
} as const;
const compass = {
  id: '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d7',
  display_name: 'Compass',
  name: 'compass',
  os: 'Android',
  owner: {
    id: '0198c7a5-0000-7c1e-9a53-2f4be3a0b2d7',
    display_name: 'Lighthouse',
    name: 'lighthouse',
    type: 'org',
  },
  app_secret: '3f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11',
  platform: 'Java',
  origin: 'appcenter',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  member_permissions: ['manager'],
  team_permissions: ['developer'],
} as const;
const tideTable = {
  ...compass,
  id: '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d8',
  display_name: 'Tide table',
  name: 'tide-table',
  app_secret: '3f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b12',
} as const;
const path = { org_name: 'lighthouse', team_name: 'pilots' };

export const teamsExamples = {
  apps_getTeams: {
    params: { owner_name: 'lighthouse', app_name: 'compass' },
    response: [{ ...pilots, permissions: ['developer'] }],
  },
  teams_listAll: { params: { org_name: 'lighthouse' }, query: {}, response: [pilots] },
  teams_createTeam: {
    params: { org_name: 'lighthouse' },
    body: { display_name: 'Pilots', description: 'Steer the ships.' },
    response: pilots,
  },
  teams_getTeam: { params: path, response: pilots },
  teams_update: {
    params: path,
    body: { display_name: 'Harbour pilots' },
    response: { ...pilots, display_name: 'Harbour pilots' },
  },
  teams_delete: { params: path },
  teams_getUsers: { params: path, response: [grace] },
  teams_addUser: { params: path, body: { user_email: ada.email }, response: ada },
  teams_removeUser: { params: { ...path, user_name: 'grace' } },
  teams_listApps: { params: path, response: [compass] },
  teams_addApp: { params: path, body: { name: 'tide-table' }, response: tideTable },
  teams_updatePermissions: {
    params: { ...path, app_name: 'compass' },
    body: { permissions: ['viewer'] },
    response: { ...compass, team_permissions: ['viewer'] },
  },
  teams_removeApp: { params: { ...path, app_name: 'compass' } },
} satisfies EndpointExamples<typeof import('./teams.contract.ts')>;
