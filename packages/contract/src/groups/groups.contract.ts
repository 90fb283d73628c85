import { App } from '../apps/apps.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, DisplayName, OrgPath, PathName, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

export const GROUP_NAME_MAX = 128;
/** The maximum number of apps in one call. */
export const GROUP_APPS_MAX = 100;

const GroupName = Type.String({
  minLength: 1,
  maxLength: GROUP_NAME_MAX,
  pattern: '^\\S(.*\\S)?$',
  description: `At most ${GROUP_NAME_MAX} characters of any script, on a single line, without leading or trailing spaces. Case-insensitive.`,
});

const groupFields = {
  id: Uuid,
  name: Type.String(),
  display_name: Type.Optional(Type.String()),
  origin: Type.Enum(['appcenter', 'hockeyapp']),
  is_public: Type.Boolean({ description: 'True if anyone can download its releases without signing in.' }),
};

export const Group = Type.Object(groupFields, { $id: 'DistributionGroup' });

const { app_secret, member_permissions, created_at, updated_at, ...sharedAppFields } = App.properties;
const GroupApp = Type.Object(sharedAppFields, { $id: 'DistributionGroupApp' });

const GroupDetails = Type.Object(
  {
    ...groupFields,
    total_apps_count: Type.Integer(),
    total_users_count: Type.Integer({ description: 'Includes users who have not accepted yet.' }),
    apps: Type.Array(App, { description: 'The apps that the caller can see.' }),
  },
  { $id: 'DistributionGroupDetails' },
);

const NewGroup = Type.Object({ name: GroupName, display_name: Type.Optional(DisplayName) });
const GroupChange = Type.Object({ name: Type.Optional(GroupName), is_public: Type.Optional(Type.Boolean()) });
const GroupApps = Type.Object({
  apps: Type.Optional(Type.Array(Type.Object({ name: PathName }), { maxItems: GROUP_APPS_MAX })),
});

const KnownGroup = { distribution_group_name: Type.String({ minLength: 1, maxLength: GROUP_NAME_MAX }) };
export const AppGroupPath = { ...AppPath, ...KnownGroup };
export const OrgGroupPath = { ...OrgPath, ...KnownGroup };

const elsewhere = 'Fails with 409 for a shared group: update it through its organization.';

export const distributionGroups_list = endpoint({
  id: 'distributionGroups_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups',
  tag: 'distribution groups',
  summary: 'List the distribution groups of an app, including shared ones',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(Group), { description: 'The groups, sorted by name.' }),
  errors: [404],
});

export const distributionGroups_create = endpoint({
  id: 'distributionGroups_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups',
  tag: 'distribution groups',
  summary: 'Create a distribution group of an app, without members',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(NewGroup),
  response: json(Group, { status: 201, description: 'The new group.' }),
  errors: [404, 409],
});

export const distributionGroups_get = endpoint({
  id: 'distributionGroups_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}',
  tag: 'distribution groups',
  summary: 'Get a distribution group of an app, or a shared one with the app',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  response: json(Group, { description: 'The group.' }),
  errors: [404],
});

export const distributionGroups_update = endpoint({
  id: 'distributionGroups_update',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}',
  tag: 'distribution groups',
  summary: 'Rename a distribution group of an app, or make it public or private',
  description: elsewhere,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppGroupPath),
  request: json(GroupChange),
  response: json(Group, { description: 'The updated group.' }),
  errors: [404, 409],
});

export const distributionGroups_delete = endpoint({
  id: 'distributionGroups_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}',
  tag: 'distribution groups',
  summary: 'Delete a distribution group of an app',
  description: `Members immediately lose the access that came from the group. ${elsewhere}`,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppGroupPath),
  response: empty({ description: 'The group is deleted.' }),
  errors: [404, 409],
});

export const distributionGroups_listForOrg = endpoint({
  id: 'distributionGroups_listForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups',
  tag: 'distribution groups',
  summary: 'List the shared distribution groups of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  // NOTE: existing clients expect 201, not 200.
  response: json(Type.Array(Group), { status: 201, description: 'The groups, sorted by name.' }),
  errors: [404],
});

export const distributionGroups_createForOrg = endpoint({
  id: 'distributionGroups_createForOrg',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups',
  tag: 'distribution groups',
  summary: 'Create a shared distribution group, without members and apps',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(NewGroup),
  response: json(Group, { status: 201, description: 'The new group.' }),
  errors: [404, 409],
});

export const distributionGroups_getForOrg = endpoint({
  id: 'distributionGroups_getForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}',
  tag: 'distribution groups',
  summary: 'Get a shared distribution group',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgGroupPath),
  response: json(Group, { description: 'The group.' }),
  errors: [404],
});

export const distributionGroups_patchForOrg = endpoint({
  id: 'distributionGroups_patchForOrg',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}',
  tag: 'distribution groups',
  summary: 'Rename a shared distribution group, or make it public or private',
  description: 'Fails with 409 if a group of one of its apps has the same name.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  request: json(GroupChange),
  response: json(Group, { description: 'The updated group.' }),
  errors: [404, 409],
});

export const distributionGroups_deleteForOrg = endpoint({
  id: 'distributionGroups_deleteForOrg',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}',
  tag: 'distribution groups',
  summary: 'Delete a shared distribution group',
  description: 'Members immediately lose the access that came from the group. Its apps stay.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  // NOTE: existing clients expect 200 without a body, not 204.
  response: empty({ status: 200, description: 'The group is deleted.' }),
  errors: [404],
});

export const distributionGroups_detailsForOrg = endpoint({
  id: 'distributionGroups_detailsForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups_details',
  tag: 'distribution groups',
  summary: 'List the shared distribution groups with their apps and number of users',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: Type.Object({
    apps_limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000, description: 'The maximum number of apps per group (default: all).' }),
    ),
  }),
  response: json(Type.Array(GroupDetails), { description: 'The groups, sorted by name.' }),
  errors: [404],
});

export const distributionGroups_getApps = endpoint({
  id: 'distributionGroups_getApps',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/apps',
  tag: 'distribution groups',
  summary: 'List the apps of a shared distribution group that the caller can see',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgGroupPath),
  response: json(Type.Array(GroupApp), { description: 'The apps, sorted by display name.' }),
  errors: [404],
});

const onEachApp = 'developer permission on each app';
const allOrNothing = `Requires ${onEachApp}. Applies to all apps or, with an error, to none.`;

export const distributionGroups_addApps = endpoint({
  id: 'distributionGroups_addApps',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/apps',
  tag: 'distribution groups',
  summary: 'Add apps of the organization to a shared distribution group',
  description: `${allOrNothing} Apps that are in the group already stay. Fails with 409 if an app has a group of the same name.`,
  access: 'org:collaborator',
  effect: 'change',
  alsoNeeds: onEachApp,
  params: Type.Object(OrgGroupPath),
  request: json(GroupApps),
  response: empty({ description: 'The members of the group are now testers of the apps.' }),
  errors: [404, 409],
});

export const distributionGroups_bulkDeleteApps = endpoint({
  id: 'distributionGroups_bulkDeleteApps',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/apps/bulk_delete',
  tag: 'distribution groups',
  summary: 'Remove apps from a shared distribution group',
  description: allOrNothing,
  access: 'org:collaborator',
  effect: 'change',
  alsoNeeds: onEachApp,
  params: Type.Object(OrgGroupPath),
  request: json(GroupApps),
  response: empty({ description: 'The group immediately loses access to the apps.' }),
  errors: [404],
});
