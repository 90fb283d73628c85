import {
  distributionGroups_addApps,
  distributionGroups_addUser,
  distributionGroups_addUsersForOrg,
  distributionGroups_bulkDeleteApps,
  distributionGroups_bulkDeleteUsers,
  distributionGroups_create,
  distributionGroups_createForOrg,
  distributionGroups_delete,
  distributionGroups_deleteForOrg,
  distributionGroups_get,
  distributionGroups_getApps,
  distributionGroups_getForOrg,
  distributionGroups_list,
  distributionGroups_listForOrg,
  distributionGroups_listTesters,
  distributionGroups_listTestersForOrg,
  distributionGroups_listUsers,
  distributionGroups_listUsersForOrg,
  distributionGroups_patchForOrg,
  distributionGroups_removeUser,
  distributionGroups_resendInvite,
  distributionGroups_resendSharedInvite,
  distributionGroups_update,
  type EndpointInput,
  type EndpointOutput,
  type EndpointSpec,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, queries, useChange, usePages, useRead } from '../client.ts';
import { orgKey } from './orgs.ts';

export type Group = EndpointOutput<typeof distributionGroups_list>[number];
export type GroupMember = EndpointOutput<typeof distributionGroups_listUsers>[number];
export type TestersQuery = Omit<EndpointInput<typeof distributionGroups_listTesters>['query'], 'limit'>;
export type GroupApp = EndpointOutput<typeof distributionGroups_getApps>[number];
export type MemberResult = EndpointOutput<typeof distributionGroups_addUser>[number];
export type GroupChange = EndpointInput<typeof distributionGroups_update>['body'];

/** Operations for the groups of an app, or for the shared groups of an organization. */
export interface GroupOperations {
  key: string[];
  /** Permissions that these operations need. */
  needs: { create: EndpointSpec; change: EndpointSpec; members: EndpointSpec };
  list: () => Promise<Group[]>;
  create: (name: string) => Promise<Group>;
  get: (name: string) => Promise<Group>;
  change: (name: string, change: GroupChange) => Promise<Group>;
  remove: (name: string) => Promise<unknown>;
  members: (name: string, query: TestersQuery) => Promise<EndpointOutput<typeof distributionGroups_listTesters>>;
  add: (name: string, emails: string[]) => Promise<MemberResult[]>;
  drop: (name: string, email: string) => Promise<unknown>;
  resend: (name: string, emails: string[]) => Promise<unknown>;
}

export function appGroups(appRef: AppRef): GroupOperations {
  const at = (name: string) => ({ ...appRef, distribution_group_name: name });
  return {
    key: [...appKey(appRef), 'groups'],
    needs: {
      create: distributionGroups_create,
      change: distributionGroups_update,
      members: distributionGroups_listUsers,
    },
    list: () => call(distributionGroups_list, { params: appRef }),
    create: (name) => call(distributionGroups_create, { params: appRef, body: { name } }),
    get: (name) => call(distributionGroups_get, { params: at(name) }),
    change: (name, body) => call(distributionGroups_update, { params: at(name), body }),
    remove: (name) => call(distributionGroups_delete, { params: at(name) }),
    members: (name, query) => call(distributionGroups_listTesters, { params: at(name), query }),
    add: (name, user_emails) => call(distributionGroups_addUser, { params: at(name), body: { user_emails } }),
    drop: (name, email) => call(distributionGroups_removeUser, { params: at(name), body: { user_emails: [email] } }),
    resend: (name, user_emails) => call(distributionGroups_resendInvite, { params: at(name), body: { user_emails } }),
  };
}

export function orgGroups(org_name: string): GroupOperations {
  const at = (name: string) => ({ org_name, distribution_group_name: name });
  return {
    key: [...orgKey(org_name), 'groups'],
    needs: {
      create: distributionGroups_createForOrg,
      change: distributionGroups_patchForOrg,
      members: distributionGroups_listUsersForOrg,
    },
    list: () => call(distributionGroups_listForOrg, { params: { org_name } }),
    create: (name) => call(distributionGroups_createForOrg, { params: { org_name }, body: { name } }),
    get: (name) => call(distributionGroups_getForOrg, { params: at(name) }),
    change: (name, body) => call(distributionGroups_patchForOrg, { params: at(name), body }),
    remove: (name) => call(distributionGroups_deleteForOrg, { params: at(name) }),
    members: (name, query) => call(distributionGroups_listTestersForOrg, { params: at(name), query }),
    add: (name, user_emails) => call(distributionGroups_addUsersForOrg, { params: at(name), body: { user_emails } }),
    drop: (name, email) =>
      call(distributionGroups_bulkDeleteUsers, { params: at(name), body: { user_emails: [email] } }),
    resend: (name, user_emails) =>
      call(distributionGroups_resendSharedInvite, { params: at(name), body: { user_emails } }),
  };
}

export const groupKey = ({ key }: GroupOperations, name: string) => [...key, name];

export const useGroups = ({ key, list }: GroupOperations, enabled = true) => useRead(key, list, enabled);

export const useGroup = (operations: GroupOperations, name: string) =>
  useRead(groupKey(operations, name), () => operations.get(name));

export const useCreateGroup = ({ key, create }: GroupOperations) => useChange(create, key);

/** The group may have been renamed, so it is not refetched under its old name. */
export const useChangeGroup = (operations: GroupOperations, name: string) =>
  useChange(async (change: GroupChange) => {
    const saved = await operations.change(name, change);
    queries.setQueryData(groupKey(operations, saved.name), saved);
    return saved;
  });

/** The user leaves the page of the deleted group, so it is not refetched. */
export const useDeleteGroup = ({ remove }: GroupOperations) => useChange(remove);

export const useGroupMembers = (operations: GroupOperations, name: string, query: TestersQuery) =>
  usePages<GroupMember>([...groupKey(operations, name), 'members', query], (cursor) =>
    operations.members(name, { ...query, cursor }),
  );

export const useDropMember = (operations: GroupOperations, name: string) =>
  useChange(({ email }: GroupMember) => operations.drop(name, email), groupKey(operations, name));

export const useResend = (operations: GroupOperations, name: string) =>
  useChange(({ email }: GroupMember) => operations.resend(name, [email]), groupKey(operations, name));

export const useGroupApps = (org_name: string, name: string) =>
  useRead([...orgKey(org_name), 'groups', name, 'apps'], () =>
    call(distributionGroups_getApps, { params: { org_name, distribution_group_name: name } }),
  );

export const useAddGroupApp = (org_name: string, distribution_group_name: string) =>
  useChange(
    (name: string) =>
      call(distributionGroups_addApps, { params: { org_name, distribution_group_name }, body: { apps: [{ name }] } }),
    [...orgKey(org_name), 'groups', distribution_group_name, 'apps'],
  );

export const useDropGroupApp = (org_name: string, distribution_group_name: string) =>
  useChange(
    ({ name }: GroupApp) =>
      call(distributionGroups_bulkDeleteApps, {
        params: { org_name, distribution_group_name },
        body: { apps: [{ name }] },
      }),
    [...orgKey(org_name), 'groups', distribution_group_name, 'apps'],
  );
