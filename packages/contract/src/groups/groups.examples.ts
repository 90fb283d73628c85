import { appsExamples } from '../apps/apps.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';

const divers = {
  id: '0198c7a8-0000-7c1e-9a53-2f4be3a0b2d7',
  name: 'Beta divers',
  display_name: 'Beta divers',
  origin: 'appcenter',
  is_public: false,
} as const;
const night = {
  ...divers,
  id: '0198c7a8-0000-7c1e-9a53-2f4be3a0b2d8',
  name: 'Night divers',
  display_name: 'Night divers',
} as const;
const app = { owner_name: 'ada', app_name: 'compass' };
const org = { org_name: 'lighthouse' };
const inApp = { ...app, distribution_group_name: 'Beta divers' };
const inOrg = { ...org, distribution_group_name: 'Beta divers' };
const compass = appsExamples.apps_createForOrg.response;

export const groupsExamples = {
  distributionGroups_list: { params: app, response: [divers] },
  distributionGroups_create: { params: app, body: { name: night.name }, response: night },
  distributionGroups_get: { params: inApp, response: divers },
  distributionGroups_update: { params: inApp, body: { is_public: false }, response: { ...divers, is_public: false } },
  distributionGroups_delete: { params: inApp },
  distributionGroups_listForOrg: { params: org, response: [divers] },
  distributionGroups_createForOrg: { params: org, body: { name: night.name }, response: night },
  distributionGroups_getForOrg: { params: inOrg, response: divers },
  distributionGroups_patchForOrg: {
    params: inOrg,
    body: { is_public: true },
    response: { ...divers, is_public: true },
  },
  distributionGroups_deleteForOrg: { params: inOrg },
  distributionGroups_detailsForOrg: {
    params: org,
    query: { apps_limit: 10 },
    response: [{ ...divers, total_apps_count: 1, total_users_count: 2, apps: [compass] }],
  },
  distributionGroups_getApps: {
    params: inOrg,
    response: [{ ...appsExamples.apps_get.response, owner: compass.owner }],
  },
  distributionGroups_addApps: { params: inOrg, body: { apps: [{ name: 'tide-table' }] } },
  distributionGroups_bulkDeleteApps: { params: inOrg, body: { apps: [{ name: 'compass' }] } },
} satisfies EndpointExamples<typeof import('./groups.contract.ts')>;
