import {
  SCIM_PAGE_MAX,
  scim_createGroup,
  scim_createUser,
  scim_deleteGroup,
  scim_deleteUser,
  scim_getConfig,
  scim_getGroup,
  scim_getUser,
  scim_listGroups,
  scim_listResourceTypes,
  scim_listSchemas,
  scim_listUsers,
  scim_patchGroup,
  scim_patchUser,
  scim_replaceGroup,
  scim_replaceUser,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { getResponseUrl } from '../../kernel/response-url.ts';
import type { DirectoryCtx } from './directory.scope.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  patchGroup,
  replaceGroup,
  type ScimGroup,
} from './groups/scim-groups.ts';
import { isExcluded, type Projection, project } from './protocol/projection.ts';
import { GROUP_SCHEMA, schemas, USER_SCHEMA } from './protocol/schemas.ts';
import { readRange, toListResponse } from './resources.ts';
import { createUser, deleteUser, getUser, patchUser, replaceUser, type ScimUser } from './users/scim-users.ts';
import { listUsers } from './users/user-list.ts';

const baseUrl = (ctx: DirectoryCtx): string => `${getResponseUrl(ctx)}/scim/v2/${encodeURIComponent(ctx.org.name)}`;

type Timed = { id: string; createdAt: number; updatedAt: number };
const toMeta = (resourceType: 'User' | 'Group', location: string, { createdAt, updatedAt }: Timed) => ({
  resourceType,
  location,
  created: toIso(createdAt),
  lastModified: toIso(updatedAt),
});

const userUrl = (ctx: DirectoryCtx, id: string): string => `${baseUrl(ctx)}/Users/${id}`;
const groupUrl = (ctx: DirectoryCtx, id: string): string => `${baseUrl(ctx)}/Groups/${id}`;

const userToWire = (ctx: DirectoryCtx, user: ScimUser, query: Projection) =>
  project(
    {
      schemas: [USER_SCHEMA],
      id: user.id,
      ...user.attributes,
      meta: toMeta('User', userUrl(ctx, user.id), user),
    },
    query,
  );

const groupToWire = (ctx: DirectoryCtx, group: ScimGroup, query: Projection) =>
  project(
    {
      schemas: [GROUP_SCHEMA],
      id: group.id,
      ...(group.externalId === undefined ? {} : { externalId: group.externalId }),
      displayName: group.displayName,
      ...(group.members && {
        members: group.members.map(({ userId, displayName }) => ({
          value: userId,
          $ref: userUrl(ctx, userId),
          display: displayName,
        })),
      }),
      meta: toMeta('Group', groupUrl(ctx, group.id), group),
    },
    query,
  );

const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

const getConfig = (ctx: DirectoryCtx) => ({
  schemas: [CONFIG_SCHEMA],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: SCIM_PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A token from the settings of the organization, as a bearer token.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl(ctx)}/ServiceProviderConfig` },
});

const resourceTypes = (ctx: DirectoryCtx) =>
  [
    { id: 'User', name: 'User', endpoint: '/Users', description: 'A user', schema: USER_SCHEMA },
    { id: 'Group', name: 'Group', endpoint: '/Groups', description: 'A team', schema: GROUP_SCHEMA },
  ].map((type) => ({
    schemas: [TYPE_SCHEMA],
    ...type,
    meta: { resourceType: 'ResourceType', location: `${baseUrl(ctx)}/ResourceTypes/${type.id}` },
  }));

const describeSchemas = (ctx: DirectoryCtx) =>
  schemas.map((schema) => ({
    schemas: [SCHEMA_SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${baseUrl(ctx)}/Schemas/${schema.id}` },
  }));

const all = <T>(values: T[]) => toListResponse(values, { total: values.length, offset: 0 });

export const scimRoutes = [
  route(scim_getConfig, async (ctx) => getConfig(ctx)),
  route(scim_listResourceTypes, async (ctx) => all(resourceTypes(ctx))),
  route(scim_listSchemas, async (ctx) => all(describeSchemas(ctx))),
  route(scim_listUsers, async (ctx, { query }) => {
    const range = readRange(query);
    const { total, values } = await listUsers(ctx, query.filter, range);
    return toListResponse(
      values.map((user) => userToWire(ctx, user, query)),
      { total, offset: range.offset },
    );
  }),
  route(scim_createUser, async (ctx, { body, query }, reply) => {
    const user = await createUser(ctx, body);
    reply.setLocation(userUrl(ctx, user.id));
    return userToWire(ctx, user, query);
  }),
  route(scim_getUser, async (ctx, { params, query }) => userToWire(ctx, await getUser(ctx, params.user_id), query)),
  route(scim_replaceUser, async (ctx, { params, body, query }) =>
    userToWire(ctx, await replaceUser(ctx, params.user_id, body), query),
  ),
  route(scim_patchUser, async (ctx, { params, body, query }) =>
    userToWire(ctx, await patchUser(ctx, params.user_id, body.Operations), query),
  ),
  route(scim_deleteUser, (ctx, { params }) => deleteUser(ctx, params.user_id)),
  route(scim_listGroups, async (ctx, { query }) => {
    const range = readRange(query);
    const needsMembers = !isExcluded(query, 'members');
    const { total, values } = await listGroups(ctx, query.filter, { ...range, needsMembers });
    return toListResponse(
      values.map((group) => groupToWire(ctx, group, query)),
      { total, offset: range.offset },
    );
  }),
  route(scim_createGroup, async (ctx, { body, query }, reply) => {
    const group = await createGroup(ctx, body);
    reply.setLocation(groupUrl(ctx, group.id));
    return groupToWire(ctx, group, query);
  }),
  route(scim_getGroup, async (ctx, { params, query }) =>
    groupToWire(ctx, await getGroup(ctx, params.group_id, !isExcluded(query, 'members')), query),
  ),
  route(scim_replaceGroup, async (ctx, { params, body, query }) =>
    groupToWire(ctx, await replaceGroup(ctx, params.group_id, body), query),
  ),
  route(scim_patchGroup, (ctx, { params, body }) => patchGroup(ctx, params.group_id, body.Operations)),
  route(scim_deleteGroup, (ctx, { params }) => deleteGroup(ctx, params.group_id)),
];
