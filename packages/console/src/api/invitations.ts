import {
  appInvitations_accept,
  appInvitations_create,
  appInvitations_delete,
  appInvitations_list,
  appInvitations_reject,
  appInvitations_updatePermissions,
  apps_list,
  distributionGroupInvitations_acceptAll,
  type GivenPermission,
  type InputOf,
  invitations_get,
  invitations_signUp,
  type OrgRole,
  type OutputOf,
  organizations_list,
  orgInvitations_accept,
  orgInvitations_create,
  orgInvitations_listPending,
  orgInvitations_reject,
  orgInvitations_revoke,
  orgInvitations_update,
} from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, ME, queries, useArranged, useChange, useRead } from './client.ts';
import { orgKey } from './orgs.ts';

export type InvitationKind = 'org' | 'app' | 'group';
export type Answer = 'accept' | 'reject';
export type Offer = OutputOf<typeof invitations_get>;

/** What a link offers; whoever holds it may ask, signed in or not. */
export const useOffer = (kind: InvitationKind, invitation_token: string) =>
  useRead(['invitation', kind, invitation_token], () => call(invitations_get, { params: { kind, invitation_token } }));

/** Creates the account of whoever was invited, accepted and signed in; and tells what is open to it then. */
export const useSignUpByInvitation = (kind: InvitationKind, invitation_token: string) =>
  useMutation({
    mutationFn: async (body: InputOf<typeof invitations_signUp>['body']) => {
      const user = await call(invitations_signUp, { params: { kind, invitation_token }, body });
      const [orgs, apps] = await Promise.all([call(organizations_list), call(apps_list)]);
      return { user, orgs, apps };
    },
    gcTime: 0,
    onSuccess: ({ user }) => {
      queries.setQueryData(ME, user);
    },
  });

const answers = {
  org: { accept: orgInvitations_accept, reject: orgInvitations_reject },
  app: { accept: appInvitations_accept, reject: appInvitations_reject },
} as const;

export const useAnswerInvitation = (kind: InvitationKind, token: string) =>
  useChange(
    async (answer: Answer) => {
      if (kind === 'group') await call(distributionGroupInvitations_acceptAll, { body: { invitation_token: token } });
      else await call(answers[kind][answer], { params: { invitation_token: token } });
      return answer;
    },
    ['apps'],
    ['orgs'],
  );

/** An open invitation, to an organization or an app. */
export interface Invitation<Role extends string> {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

type InvitationsQuery = InputOf<typeof orgInvitations_listPending>['query'];

/** What can be done about the invitations of one place; inviting again sends a new link. */
export interface Invitations<Role extends string> {
  key: string[];
  list: (query: InvitationsQuery) => Promise<Invitation<Role>[]>;
  invite: (email: string, role: Role) => Promise<unknown>;
  change: (email: string, role: Role) => Promise<unknown>;
  revoke: (email: string) => Promise<unknown>;
}

export const orgInvitations = (org_name: string): Invitations<OrgRole> => ({
  key: [...orgKey(org_name), 'invitations'],
  list: async (query) =>
    (await call(orgInvitations_listPending, { params: { org_name }, query })).map((each) => ({
      ...each,
      role: each.role as OrgRole,
    })),
  invite: (user_email, role) => call(orgInvitations_create, { params: { org_name }, body: { user_email, role } }),
  change: (email, role) => call(orgInvitations_update, { params: { org_name, email }, body: { role } }),
  revoke: (email) => call(orgInvitations_revoke, { params: { org_name, email }, body: {} }),
});

/** What inviting to an app calls each permission. */
const roleFor: Record<GivenPermission, OrgRole> = { manager: 'admin', developer: 'collaborator', viewer: 'member' };

export const appInvitations = (params: AppRef): Invitations<GivenPermission> => ({
  key: [...appKey(params), 'invitations'],
  list: async (query) =>
    (await call(appInvitations_list, { params, query })).map(({ id, email, permissions, expires_at }) => ({
      id,
      email,
      role: permissions[0] as GivenPermission,
      expires_at,
    })),
  invite: (user_email, permission) =>
    call(appInvitations_create, { params, body: { user_email, role: roleFor[permission] } }),
  change: (user_email, permission) =>
    call(appInvitations_updatePermissions, { params: { ...params, user_email }, body: { permissions: [permission] } }),
  revoke: (user_email) => call(appInvitations_delete, { params: { ...params, user_email } }),
});

export const useInvitations = <Role extends string>({ key, list }: Invitations<Role>, enabled = true) =>
  useRead(key, () => list({}), enabled);

/** The same, searched and sorted. */
export const useArrangedInvitations = <Role extends string>(
  { key, list }: Invitations<Role>,
  query: InvitationsQuery,
) => useArranged(key, query, list);

export const useChangeInvitation = <Role extends string>({ key, change }: Invitations<Role>) =>
  useChange(({ email, role }: { email: string; role: Role }) => change(email, role), key);

export const useResendInvitation = <Role extends string>({ key, invite }: Invitations<Role>) =>
  useChange(({ email, role }: Invitation<Role>) => invite(email, role), key);

export const useRevokeInvitation = <Role extends string>({ key, revoke }: Invitations<Role>) => useChange(revoke, key);
