import {
  distributionGroups_addApps,
  distributionGroups_bulkDeleteApps,
  distributionGroups_create,
  distributionGroups_createForOrg,
  distributionGroups_delete,
  distributionGroups_deleteForOrg,
  distributionGroups_detailsForOrg,
  distributionGroups_get,
  distributionGroups_getApps,
  distributionGroups_getForOrg,
  distributionGroups_list,
  distributionGroups_listForOrg,
  distributionGroups_patchForOrg,
  distributionGroups_update,
  type EndpointInput,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { appToWire } from '../apps/index.ts';
import { addGroupApps, listGroupApps, listGroupDetails, removeGroupApps } from './group-apps.ts';
import { createGroup, deleteGroup, type Group, getGroup, listGroups, updateGroup } from './groups.ts';

const toWire = (group: Group) => ({
  id: group.id,
  name: group.name,
  display_name: group.displayName,
  origin: 'appcenter' as const,
  is_public: group.isPublic,
});

type NewGroupBody = EndpointInput<typeof distributionGroups_create>['body'];
const newGroupFrom = ({ name, display_name }: NewGroupBody) => ({ name, displayName: display_name });

type ChangeBody = EndpointInput<typeof distributionGroups_update>['body'];
const changeFrom = ({ name, is_public }: ChangeBody) => ({ name, isPublic: is_public });

type AppsBody = EndpointInput<typeof distributionGroups_addApps>['body'];
const appNamesFrom = ({ apps = [] }: AppsBody) => apps.map(({ name }) => name);

export const groupRoutes = [
  route(distributionGroups_list, async (ctx) => (await listGroups(ctx)).map(toWire)),
  route(distributionGroups_create, async (ctx, { body }) => toWire(await createGroup(ctx, newGroupFrom(body)))),
  route(distributionGroups_get, async (ctx, { params }) => toWire(await getGroup(ctx, params.distribution_group_name))),
  route(distributionGroups_update, async (ctx, { params, body }) =>
    toWire(await updateGroup(ctx, params.distribution_group_name, changeFrom(body))),
  ),
  route(distributionGroups_delete, (ctx, { params }) => deleteGroup(ctx, params.distribution_group_name)),
  route(distributionGroups_listForOrg, async (ctx) => (await listGroups(ctx)).map(toWire)),
  route(distributionGroups_createForOrg, async (ctx, { body }) => toWire(await createGroup(ctx, newGroupFrom(body)))),
  route(distributionGroups_getForOrg, async (ctx, { params }) =>
    toWire(await getGroup(ctx, params.distribution_group_name)),
  ),
  route(distributionGroups_patchForOrg, async (ctx, { params, body }) =>
    toWire(await updateGroup(ctx, params.distribution_group_name, changeFrom(body))),
  ),
  route(distributionGroups_deleteForOrg, (ctx, { params }) => deleteGroup(ctx, params.distribution_group_name)),
  route(distributionGroups_detailsForOrg, async (ctx, { query }) =>
    (await listGroupDetails(ctx, query.apps_limit)).map((group) => ({
      ...toWire(group),
      total_apps_count: group.totalApps,
      total_users_count: group.totalUsers,
      apps: group.apps.map((app) => appToWire(ctx, app)),
    })),
  ),
  route(distributionGroups_getApps, async (ctx, { params }) =>
    (await listGroupApps(ctx, params.distribution_group_name)).map((app) => appToWire(ctx, app)),
  ),
  route(distributionGroups_addApps, (ctx, { params, body }) =>
    addGroupApps(ctx, params.distribution_group_name, appNamesFrom(body)),
  ),
  route(distributionGroups_bulkDeleteApps, (ctx, { params, body }) =>
    removeGroupApps(ctx, params.distribution_group_name, appNamesFrom(body)),
  ),
];
