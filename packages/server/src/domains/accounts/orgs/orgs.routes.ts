import {
  organization_deleteAvatar,
  organization_updateAvatar,
  organizations_createOrUpdate,
  organizations_delete,
  organizations_get,
  organizations_list,
  organizations_listAdministered,
  organizations_listMembers,
  organizations_update,
  users_getForOrg,
  users_listForOrg,
  users_removeFromOrg,
  users_updateOrgRole,
} from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { readBytes } from '../../../http/kinds/incoming-file.ts';
import { route } from '../../../http/mount.ts';
import { pageToWire } from '../../../http/responses/pages.ts';
import { toIso } from '../../../kernel/clock.ts';
import { shownAvatar } from '../../avatars/index.ts';
import { deleteOrgAvatar, setOrgAvatar } from './org-avatars.ts';
import {
  createOrg,
  deleteOrg,
  getMember,
  getOrg,
  type ListedMember,
  listMembers,
  listOrgs,
  type Org,
  type OrgMember,
  removeMember,
  searchMembers,
  updateMember,
  updateOrg,
} from './orgs.ts';

export const orgToWire = (ctx: Pick<Ctx, 'origin' | 'publicUrl'>, org: Org) => ({
  id: org.id,
  display_name: org.displayName,
  name: org.name,
  avatar_url: shownAvatar(ctx, org.avatarUrl),
  origin: 'appcenter' as const,
  created_at: toIso(org.createdAt),
  updated_at: toIso(org.updatedAt),
});

const memberToWire = (member: OrgMember) => ({
  email: member.email,
  display_name: member.displayName,
  joined_at: toIso(member.joinedAt),
  name: member.name,
  role: member.role,
});

const listedToWire = (member: ListedMember) => ({
  id: member.userId,
  ...memberToWire(member),
  avatar_url: member.avatarUrl,
  is_service_account: member.isServiceAccount,
});

export const orgRoutes = [
  route(organizations_createOrUpdate, async (ctx, { body }) =>
    orgToWire(ctx, await createOrg(ctx, { name: body.name, displayName: body.display_name })),
  ),
  route(organizations_list, async (ctx) => (await listOrgs(ctx)).map((org) => orgToWire(ctx, org))),
  route(organizations_listAdministered, async (ctx) => ({
    organizations: (await listOrgs(ctx)).filter(({ role }) => role === 'admin').map((org) => orgToWire(ctx, org)),
  })),
  route(organizations_get, async (ctx) => orgToWire(ctx, await getOrg(ctx))),
  route(organizations_update, async (ctx, { body }) =>
    orgToWire(ctx, await updateOrg(ctx, { name: body.name, displayName: body.display_name })),
  ),
  route(organizations_delete, (ctx) => deleteOrg(ctx)),
  route(organization_updateAvatar, async (ctx, { file }) => {
    const image = { type: file.type, bytes: await readBytes(file) };
    return orgToWire(ctx, await setOrgAvatar(ctx, image));
  }),
  route(organization_deleteAvatar, async (ctx) => orgToWire(ctx, await deleteOrgAvatar(ctx))),
  route(users_listForOrg, async (ctx) => (await listMembers(ctx)).map(memberToWire)),
  route(organizations_listMembers, async (ctx, { query }) => pageToWire(await searchMembers(ctx, query), listedToWire)),
  route(users_getForOrg, async (ctx, { params }) => memberToWire(await getMember(ctx, params.user_name))),
  route(users_updateOrgRole, async (ctx, { params, body }) =>
    memberToWire(await updateMember(ctx, params.user_name, body.role)),
  ),
  route(users_removeFromOrg, (ctx, { params }) => removeMember(ctx, params.user_name)),
];
