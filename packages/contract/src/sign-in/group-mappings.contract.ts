import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { orgRoles } from '../permissions.ts';
import { Type } from '../type.ts';

const ProviderPath = Type.Object({ provider_name: Type.String({ minLength: 1, maxLength: 100 }) });
const OrgRole = Type.Enum([...orgRoles], { description: 'The role in the organization (default: member).' });
const Name = Type.String({ minLength: 1, maxLength: 200 });

const fields = {
  group: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'The group exactly as in the claim; Entra ID sends object IDs.',
  }),
  organization: Name,
  role: OrgRole,
  team: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A team of the organization.' })),
  distribution_group: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A distribution group that the organization shares.' }),
  ),
};

export const GroupMapping = Type.Object(
  { id: Uuid, ...fields, created_at: Time },
  { $id: 'GroupMapping', description: 'The membership of people who are in a group of an identity provider.' },
);

export const adminGroupMappings_list = endpoint({
  id: 'adminGroupMappings_list',
  method: 'GET',
  path: '/v0.1/admin/identity_providers/{provider_name}/group_mappings',
  tag: 'signing in',
  summary: 'List the memberships that groups of an identity provider stand for',
  access: 'admin',
  effect: 'read',
  params: ProviderPath,
  response: json(Type.Array(GroupMapping), { description: 'By group.' }),
  errors: [404],
});

export const adminGroupMappings_create = endpoint({
  id: 'adminGroupMappings_create',
  needsUnlimited: true,
  method: 'POST',
  path: '/v0.1/admin/identity_providers/{provider_name}/group_mappings',
  tag: 'signing in',
  summary: 'Map a group of an identity provider to an organization, a team and a distribution group',
  description:
    'Applied at each sign-in with the provider. Memberships that the mapping created end at the first sign-in without the group; others stay.',
  access: 'admin',
  effect: 'change',
  params: ProviderPath,
  request: json(Type.Object({ ...fields, role: Type.Optional(OrgRole) })),
  response: json(GroupMapping, { status: 201, description: 'The mapping.' }),
  errors: [404, 409],
});

export const adminGroupMappings_delete = endpoint({
  id: 'adminGroupMappings_delete',
  method: 'DELETE',
  path: '/v0.1/admin/identity_providers/{provider_name}/group_mappings/{mapping_id}',
  tag: 'signing in',
  summary: 'Delete a group mapping',
  description: 'Memberships that it created end when their people next sign in with the provider.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ ...ProviderPath.properties, mapping_id: Uuid }),
  response: empty({ description: 'The mapping is deleted.' }),
  errors: [404],
});
