import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { avatarUpload, DisplayName, OrgPath, OwnerName, PathName, Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { orgRoles } from '../permissions.ts';
import { Type } from '../type.ts';

const Role = Type.Enum([...orgRoles]);

export const Organization = Type.Object(
  {
    id: Uuid,
    display_name: Type.String(),
    name: Type.String(),
    avatar_url: Type.Optional(Type.String()),
    origin: Type.Enum(['appcenter', 'hockeyapp']),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'Organization' },
);

const OrganizationInList = Type.Object({
  display_name: Type.String(),
  name: Type.String(),
  origin: Type.Enum(['appcenter', 'hockeyapp']),
});

export const OrgMember = Type.Object(
  {
    email: Type.String(),
    display_name: Type.String(),
    joined_at: Time,
    name: Type.String(),
    role: Role,
  },
  { $id: 'OrgMember' },
);

const MemberPath = { ...OrgPath, user_name: PathName };

export const organizations_createOrUpdate = endpoint({
  id: 'organizations_createOrUpdate',
  method: 'POST',
  path: '/v0.1/orgs',
  tag: 'organizations',
  summary: 'Create an organization, with the caller as its admin',
  description: 'Requires name or display_name. If only one is set, the server derives the other.',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ display_name: Type.Optional(DisplayName), name: Type.Optional(OwnerName) })),
  response: json(Organization, { status: 201, description: 'The new organization.' }),
  errors: [409],
});

export const organizations_list = endpoint({
  id: 'organizations_list',
  method: 'GET',
  path: '/v0.1/orgs',
  tag: 'organizations',
  summary: 'List the organizations that the caller belongs to',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(OrganizationInList), { description: 'The organizations, sorted by name.' }),
});

export const organizations_listAdministered = endpoint({
  id: 'organizations_listAdministered',
  method: 'GET',
  path: '/v0.1/administeredOrgs',
  tag: 'organizations',
  summary: 'List the organizations that the caller is an admin of',
  access: 'user',
  effect: 'read',
  response: json(Type.Object({ organizations: Type.Array(Organization) }), {
    description: 'The organizations, sorted by name.',
  }),
});

export const organizations_get = endpoint({
  id: 'organizations_get',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}',
  tag: 'organizations',
  summary: 'Get an organization',
  description: 'Previous names of an organization still work.',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Organization, { description: 'The organization.' }),
  errors: [404],
});

export const organizations_update = endpoint({
  id: 'organizations_update',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}',
  tag: 'organizations',
  summary: 'Rename an organization',
  description: 'GET requests with the old name still work; responses contain the new name.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(Type.Object({ display_name: Type.Optional(DisplayName), name: Type.Optional(OwnerName) })),
  response: json(Organization, { description: 'The updated organization.' }),
  errors: [404, 409],
});

export const organizations_delete = endpoint({
  id: 'organizations_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}',
  tag: 'organizations',
  summary: 'Delete an organization',
  description: 'Fails with 409 while the organization owns apps or subscriptions; the message names them.',
  access: 'org:admin',
  effect: 'change',
  confirms: true,
  params: Type.Object(OrgPath),
  response: empty({ description: 'The organization is deleted, with its members, teams and invitations.' }),
  errors: [404, 409],
});

export const organization_updateAvatar = endpoint({
  id: 'organization_updateAvatar',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/avatar',
  tag: 'organizations',
  summary: "Upload an organization's avatar",
  description:
    'A PNG, JPEG, GIF or WebP image of at most 1 MiB and 4096 × 4096 pixels. The server checks its content, not its name. Anyone with the URL of the avatar can see it.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: file(avatarUpload),
  response: json(Organization, { description: 'The organization with its new avatar.' }),
  errors: [404],
});

export const organization_deleteAvatar = endpoint({
  id: 'organization_deleteAvatar',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/avatar',
  tag: 'organizations',
  summary: "Remove an organization's avatar",
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  response: json(Organization, { description: 'The organization without an avatar.' }),
  errors: [404],
});

export const users_listForOrg = endpoint({
  id: 'users_listForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/users',
  tag: 'organizations',
  summary: 'List the members of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Type.Array(OrgMember), { description: 'The members, sorted by name.' }),
  errors: [404],
});

export const organizations_listMembers = endpoint({
  id: 'organizations_listMembers',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/members',
  tag: 'organizations',
  summary: 'List the members of an organization in pages, searchable and sortable',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: Type.Object({
    ...listQuery(['display_name', 'name', 'email', 'role', 'joined_at'], 'names and email addresses'),
    role: Type.Optional(Type.Enum([...orgRoles], { description: 'Only members with this role.' })),
  }),
  response: json(
    Page(
      Type.Object(
        {
          id: Uuid,
          ...OrgMember.properties,
          avatar_url: Type.Optional(Type.String()),
          is_service_account: Type.Boolean(),
        },
        { $id: 'OrgMemberInList' },
      ),
    ),
    { description: 'A page of members.' },
  ),
  errors: [404],
});

export const users_getForOrg = endpoint({
  id: 'users_getForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/users/{user_name}',
  tag: 'organizations',
  summary: 'Get a member of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(MemberPath),
  response: json(OrgMember, { description: 'The member.' }),
  errors: [404],
});

export const users_updateOrgRole = endpoint({
  id: 'users_updateOrgRole',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/users/{user_name}',
  tag: 'organizations',
  summary: 'Update the role of a member',
  description: "The last admin can't be demoted.",
  access: 'org:admin',
  effect: 'change',
  needsUnlimited: true,
  params: Type.Object(MemberPath),
  request: json(Type.Object({ role: Type.Optional(Role) })),
  response: json(OrgMember, { description: 'The updated member.' }),
  errors: [404, 409],
});

export const users_removeFromOrg = endpoint({
  id: 'users_removeFromOrg',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/users/{user_name}',
  tag: 'organizations',
  summary: 'Remove a member; members may remove themselves',
  description: "Also removes the member from the apps and teams of the organization. The last admin can't leave.",
  access: 'org:member',
  effect: 'change',
  alsoNeeds: 'admin, to remove someone else',
  params: Type.Object(MemberPath),
  response: empty({ description: 'The member is removed and loses access immediately.' }),
  errors: [404, 409],
});
