import {
  appInvitations_accept,
  appInvitations_create,
  appInvitations_delete,
  appInvitations_list,
  appInvitations_reject,
  appInvitations_updatePermissions,
  distributionGroupInvitations_acceptAll,
  type EndpointInput,
  type EndpointOutput,
  type GrantablePermission,
  invitations_get,
  invitations_signUp,
  type OrgRole,
  orgInvitations_accept,
  orgInvitations_create,
  orgInvitations_listPending,
  orgInvitations_reject,
  orgInvitations_revoke,
  orgInvitations_update,
} from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, ME, queries, useArranged, useChange, useRead } from '../client.ts';
import { orgKey } from '../organizations/orgs.ts';

export type InvitationKind = 'org' | 'app' | 'group';
export type Decision = 'accept' | 'reject';
export type Offer = EndpointOutput<typeof invitations_get>;

/** The invitation behind a link, for signed-in and anonymous users. */
export const useOffer = (kind: InvitationKind, invitation_token: string) =>
  useRead(['invitation', kind, invitation_token], () => call(invitations_get, { params: { kind, invitation_token } }));

/** Creates the invited user's account, accepts the invitation and signs in. */
export const useSignUpByInvitation = (kind: InvitationKind, invitation_token: string) =>
  useMutation({
    mutationFn: (body: EndpointInput<typeof invitations_signUp>['body']) =>
      call(invitations_signUp, { params: { kind, invitation_token }, body }),
    gcTime: 0,
    onSuccess: (user) => {
      queries.setQueryData(ME, user);
    },
  });

const decisionEndpoints = {
  org: { accept: orgInvitations_accept, reject: orgInvitations_reject },
  app: { accept: appInvitations_accept, reject: appInvitations_reject },
} as const;

export const useDecideInvitation = (kind: InvitationKind, token: string) =>
  useChange(
    async (decision: Decision) => {
      if (kind === 'group') await call(distributionGroupInvitations_acceptAll, { body: { invitation_token: token } });
      else await call(decisionEndpoints[kind][decision], { params: { invitation_token: token } });
      return decision;
    },
    ['apps'],
    ['orgs'],
  );

/** A pending invitation to an organization or an app. */
export interface Invitation<Role extends string> {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

type InvitationsQuery = EndpointInput<typeof orgInvitations_listPending>['query'];

/** Operations for the invitations of an app or organization. A repeated invitation sends a new link. */
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

/** Role names of app permissions in invitations. */
const roleFor: Record<GrantablePermission, OrgRole> = { manager: 'admin', developer: 'collaborator', viewer: 'member' };

export const appInvitations = (params: AppRef): Invitations<GrantablePermission> => ({
  key: [...appKey(params), 'invitations'],
  list: async (query) =>
    (await call(appInvitations_list, { params, query })).map(({ id, email, permissions, expires_at }) => ({
      id,
      email,
      role: permissions[0] as GrantablePermission,
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

/** Searched and sorted page by page. */
export const useArrangedInvitations = <Role extends string>(
  { key, list }: Invitations<Role>,
  query: InvitationsQuery,
) => useArranged(key, query, list);

export const useChangeInvitation = <Role extends string>({ key, change }: Invitations<Role>) =>
  useChange(({ email, role }: { email: string; role: Role }) => change(email, role), key);

export const useResendInvitation = <Role extends string>({ key, invite }: Invitations<Role>) =>
  useChange(({ email, role }: Invitation<Role>) => invite(email, role), key);

export const useRevokeInvitation = <Role extends string>({ key, revoke }: Invitations<Role>) => useChange(revoke, key);
