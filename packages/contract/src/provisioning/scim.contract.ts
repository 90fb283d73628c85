import { empty, endpoint, json } from '../endpoint/index.ts';
import { OrgPath } from '../fields.ts';
import { Type } from '../type.ts';
import { SCIM_TYPE, scimSurface } from './scim.surface.ts';

/** Most resources in one response. */
export const SCIM_PAGE_MAX = 200;
/** Most operations in one patch. */
export const SCIM_OPERATIONS_MAX = 1000;

const home = '/scim/v2/{org_name}';
const common = { surface: scimSurface, tag: 'provisioning', access: 'directory' } as const;
const OrgParams = Type.Object(OrgPath);
const Id = Type.String({ minLength: 1, maxLength: 100 });
const UserParams = Type.Object({ ...OrgPath, user_id: Id });
const GroupParams = Type.Object({ ...OrgPath, group_id: Id });

const Names = (action: string) =>
  Type.Optional(Type.String({ maxLength: 2000, description: `Attributes to ${action}, separated by commas.` }));
const projection = { attributes: Names('return'), excludedAttributes: Names('omit') };
const ProjectionQuery = Type.Object(projection);
const ListQuery = Type.Object({
  ...projection,
  filter: Type.Optional(
    Type.String({ maxLength: 4000, description: 'A filter of RFC 7644, such as `userName eq "ada@example.com"`.' }),
  ),
  startIndex: Type.Optional(Type.Integer({ description: 'The position of the first resource, from 1 (default: 1).' })),
  count: Type.Optional(
    Type.Integer({ description: `The number of resources, at most ${SCIM_PAGE_MAX} (default: 100); 0 counts only.` }),
  ),
});

const Schemas = Type.Optional(Type.Array(Type.String()));
const Meta = Type.Object({
  resourceType: Type.String(),
  location: Type.String(),
  created: Type.Optional(Type.String({ format: 'date-time' })),
  lastModified: Type.Optional(Type.String({ format: 'date-time' })),
});

/** `attributes` and `excludedAttributes` may remove everything but the ID. */
const nameParts = {
  formatted: Type.Optional(Type.String()),
  familyName: Type.Optional(Type.String()),
  givenName: Type.Optional(Type.String()),
};
const emailParts = {
  value: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  primary: Type.Optional(Type.Boolean()),
};
const base = {
  schemas: Type.Array(Type.String()),
  id: Type.String(),
  externalId: Type.Optional(Type.String({ description: 'The ID in the directory.' })),
  meta: Type.Optional(Meta),
};

export const ScimUser = Type.Object(
  {
    ...base,
    userName: Type.Optional(Type.String()),
    name: Type.Optional(Type.Object(nameParts)),
    displayName: Type.Optional(Type.String()),
    emails: Type.Optional(Type.Array(Type.Object(emailParts))),
    active: Type.Optional(Type.Boolean()),
  },
  { $id: 'ScimUser' },
);

export const ScimGroup = Type.Object(
  {
    ...base,
    displayName: Type.Optional(Type.String()),
    members: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.Optional(Type.String()),
          $ref: Type.Optional(Type.String()),
          display: Type.Optional(Type.String()),
        }),
      ),
    ),
  },
  { $id: 'ScimGroup' },
);

/** Clients differ in case and types, which the server reads leniently. */
const sent = (description: string) => Type.Optional(Type.Unknown({ description }));
const identity = { schemas: sent('The URNs of its schemas.'), externalId: sent('The ID in the directory.') };
const UserBody = json(
  Type.Object({
    ...identity,
    userName: sent('The name in the directory, usually an email address. Unique.'),
    name: sent('The parts of the name: formatted, familyName, givenName.'),
    displayName: sent('The name to show.'),
    emails: sent('Email addresses: value, type, primary.'),
    active: sent('False if the user has no access.'),
  }),
  { mediaType: SCIM_TYPE },
);
const GroupBody = json(
  Type.Object({
    ...identity,
    displayName: sent('The name of the team. Unique among the groups of the directory.'),
    members: sent('Users of the directory, each with its ID as value.'),
  }),
  { mediaType: SCIM_TYPE },
);
const PatchBody = json(
  Type.Object({
    schemas: Schemas,
    Operations: Type.Array(
      Type.Object({
        op: Type.String({ maxLength: 20, description: 'add, replace or remove.' }),
        path: Type.Optional(Type.String({ maxLength: 4000, description: 'An attribute, or elements of one.' })),
        value: Type.Optional(Type.Unknown()),
      }),
      { minItems: 1, maxItems: SCIM_OPERATIONS_MAX },
    ),
  }),
  { mediaType: SCIM_TYPE },
);

const list = <S extends typeof ScimUser | typeof ScimGroup>(schema: S) =>
  Type.Object({
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(schema),
  });
const found = { mediaType: SCIM_TYPE };
const Documents = Type.Object({
  schemas: Type.Array(Type.String()),
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(Type.Unknown()),
});

export const scim_getConfig = endpoint({
  ...common,
  id: 'scim_getConfig',
  method: 'GET',
  path: `${home}/ServiceProviderConfig`,
  summary: 'Get the supported parts of SCIM',
  effect: 'read',
  params: OrgParams,
  response: json(Type.Record(Type.String(), Type.Unknown()), { ...found, description: 'The supported parts.' }),
});

export const scim_listResourceTypes = endpoint({
  ...common,
  id: 'scim_listResourceTypes',
  method: 'GET',
  path: `${home}/ResourceTypes`,
  summary: 'List the types of resources',
  effect: 'read',
  params: OrgParams,
  response: json(Documents, { ...found, description: 'Users and groups.' }),
});

export const scim_listSchemas = endpoint({
  ...common,
  id: 'scim_listSchemas',
  method: 'GET',
  path: `${home}/Schemas`,
  summary: 'List the schemas of users and groups',
  effect: 'read',
  params: OrgParams,
  response: json(Documents, { ...found, description: 'The schemas.' }),
});

export const scim_listUsers = endpoint({
  ...common,
  id: 'scim_listUsers',
  method: 'GET',
  path: `${home}/Users`,
  summary: 'List or find users of the directory',
  effect: 'read',
  params: OrgParams,
  query: ListQuery,
  response: json(list(ScimUser), { ...found, description: 'A page of users, and the number of all.' }),
});

export const scim_createUser = endpoint({
  ...common,
  id: 'scim_createUser',
  method: 'POST',
  path: `${home}/Users`,
  summary: 'Add a user',
  description:
    'Creates an account in a domain of the organization, or takes over one there. An account outside of these domains must be a member of the organization; only its membership is managed then.',
  effect: 'change',
  params: OrgParams,
  query: ProjectionQuery,
  request: UserBody,
  response: json(ScimUser, { ...found, status: 201, description: 'The user.' }),
  errors: [409],
});

export const scim_getUser = endpoint({
  ...common,
  id: 'scim_getUser',
  method: 'GET',
  path: `${home}/Users/{user_id}`,
  summary: 'Get a user',
  effect: 'read',
  params: UserParams,
  query: ProjectionQuery,
  response: json(ScimUser, { ...found, description: 'The user.' }),
  errors: [404],
});

export const scim_replaceUser = endpoint({
  ...common,
  id: 'scim_replaceUser',
  method: 'PUT',
  path: `${home}/Users/{user_id}`,
  summary: 'Replace the attributes of a user',
  effect: 'change',
  params: UserParams,
  query: ProjectionQuery,
  request: UserBody,
  response: json(ScimUser, { ...found, description: 'The user.' }),
  errors: [404, 409],
});

export const scim_patchUser = endpoint({
  ...common,
  id: 'scim_patchUser',
  method: 'PATCH',
  path: `${home}/Users/{user_id}`,
  summary: 'Change attributes of a user',
  description: 'A user with `active` false has no access: sessions, API tokens and OAuth grants end immediately.',
  effect: 'change',
  params: UserParams,
  query: ProjectionQuery,
  request: PatchBody,
  response: json(ScimUser, { ...found, description: 'The user.' }),
  errors: [404, 409],
});

export const scim_deleteUser = endpoint({
  ...common,
  id: 'scim_deleteUser',
  method: 'DELETE',
  path: `${home}/Users/{user_id}`,
  summary: 'Remove a user from the directory',
  description: 'The user has no access then. The account stays, disabled, with all that it owns.',
  effect: 'change',
  params: UserParams,
  response: empty({ description: 'The user is removed.' }),
  errors: [404, 409],
});

export const scim_listGroups = endpoint({
  ...common,
  id: 'scim_listGroups',
  method: 'GET',
  path: `${home}/Groups`,
  summary: 'List or find groups of the directory',
  effect: 'read',
  params: OrgParams,
  query: ListQuery,
  response: json(list(ScimGroup), { ...found, description: 'A page of groups, and the number of all.' }),
});

export const scim_createGroup = endpoint({
  ...common,
  id: 'scim_createGroup',
  method: 'POST',
  path: `${home}/Groups`,
  summary: 'Add a group, which becomes a team',
  effect: 'change',
  params: OrgParams,
  query: ProjectionQuery,
  request: GroupBody,
  response: json(ScimGroup, { ...found, status: 201, description: 'The group.' }),
  errors: [409],
});

export const scim_getGroup = endpoint({
  ...common,
  id: 'scim_getGroup',
  method: 'GET',
  path: `${home}/Groups/{group_id}`,
  summary: 'Get a group',
  effect: 'read',
  params: GroupParams,
  query: ProjectionQuery,
  response: json(ScimGroup, { ...found, description: 'The group.' }),
  errors: [404],
});

export const scim_replaceGroup = endpoint({
  ...common,
  id: 'scim_replaceGroup',
  method: 'PUT',
  path: `${home}/Groups/{group_id}`,
  summary: 'Replace the name and members of a group',
  effect: 'change',
  params: GroupParams,
  query: ProjectionQuery,
  request: GroupBody,
  response: json(ScimGroup, { ...found, description: 'The group.' }),
  errors: [404, 409],
});

export const scim_patchGroup = endpoint({
  ...common,
  id: 'scim_patchGroup',
  method: 'PATCH',
  path: `${home}/Groups/{group_id}`,
  summary: 'Rename a group, or add and remove members',
  effect: 'change',
  params: GroupParams,
  request: PatchBody,
  response: empty({ description: 'The group is changed.' }),
  errors: [404, 409],
});

export const scim_deleteGroup = endpoint({
  ...common,
  id: 'scim_deleteGroup',
  method: 'DELETE',
  path: `${home}/Groups/{group_id}`,
  summary: 'Delete a group and its team',
  effect: 'change',
  params: GroupParams,
  response: empty({ description: 'The group and its team are deleted.' }),
  errors: [404],
});
