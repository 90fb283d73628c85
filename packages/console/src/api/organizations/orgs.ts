import {
  type EndpointInput,
  type EndpointOutput,
  type OrgRole,
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
import { APPS } from '../apps.ts';
import { call, useChange, usePages, useRead } from '../client.ts';

export type Org = EndpointOutput<typeof organizations_get>;
export type OrgMember = EndpointOutput<typeof users_listForOrg>[number];

export type ListedMember = EndpointOutput<typeof organizations_listMembers>['values'][number];
export type MembersQuery = Omit<EndpointInput<typeof organizations_listMembers>['query'], 'limit' | 'cursor'>;

const ORGS = ['orgs'];
export const orgKey = (name: string) => ['org', name];
const membersKey = (name: string) => [...orgKey(name), 'members'];

export const useOrgs = () => useRead(ORGS, () => call(organizations_list));

/** The same, with the details that the API adds for admins. */
export const useOrgsWithMine = () =>
  useRead([...ORGS, 'mine'], async () => {
    const [all, { organizations }] = await Promise.all([
      call(organizations_list),
      call(organizations_listAdministered),
    ]);
    const mine = new Map(organizations.map((org) => [org.name, org]));
    return all.map((org) => ({ ...org, isMine: mine.has(org.name), avatar_url: mine.get(org.name)?.avatar_url }));
  });

/** An organization with the user's role. */
export const useOrg = (org_name: string, reader: string, enabled = true) =>
  useRead(
    orgKey(org_name),
    async () => {
      const [org, { role }] = await Promise.all([
        call(organizations_get, { params: { org_name } }),
        call(users_getForOrg, { params: { org_name, user_name: reader } }),
      ]);
      return { org, role };
    },
    enabled,
  );

export const useCreateOrg = () =>
  useChange(
    (body: EndpointInput<typeof organizations_createOrUpdate>['body']) => call(organizations_createOrUpdate, { body }),
    ORGS,
  );

export const useUpdateOrg = (org_name: string) =>
  useChange(
    (body: EndpointInput<typeof organizations_update>['body']) =>
      call(organizations_update, { params: { org_name }, body }),
    ORGS,
    APPS,
    orgKey(org_name),
  );

/** Without a file, removes the avatar. */
export const useSetOrgAvatar = (org_name: string) =>
  useChange(
    (file: File | undefined) =>
      file
        ? call(organization_updateAvatar, { params: { org_name }, file })
        : call(organization_deleteAvatar, { params: { org_name } }),
    ORGS,
    APPS,
    orgKey(org_name),
  );

export const useDeleteOrg = (org_name: string) =>
  useChange(() => call(organizations_delete, { params: { org_name } }), ORGS);

export const useMembers = (org_name: string) =>
  useRead(membersKey(org_name), () => call(users_listForOrg, { params: { org_name } }));

/** Searched and sorted page by page. */
export const useMemberPages = (org_name: string, query: MembersQuery) =>
  usePages<ListedMember>([...membersKey(org_name), 'pages', query], (cursor) =>
    call(organizations_listMembers, { params: { org_name }, query: { ...query, cursor } }),
  );

/** Users can change their own role, so the organization is refetched too. */
export const useSetRole = (org_name: string) =>
  useChange(
    ({ name, role }: { name: string; role: OrgRole }) =>
      call(users_updateOrgRole, { params: { org_name, user_name: name }, body: { role } }),
    orgKey(org_name),
  );

export const useRemoveMember = (org_name: string) =>
  useChange(
    (user_name: string) => call(users_removeFromOrg, { params: { org_name, user_name } }),
    ORGS,
    APPS,
    membersKey(org_name),
  );
