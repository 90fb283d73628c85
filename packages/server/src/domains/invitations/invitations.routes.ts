import {
  type AppPermission,
  appInvitations_accept,
  appInvitations_create,
  appInvitations_createByEmail,
  appInvitations_delete,
  appInvitations_list,
  appInvitations_reject,
  appInvitations_updatePermissions,
  invitations_get,
  invitations_sent,
  invitations_signUp,
  orgInvitations_accept,
  orgInvitations_create,
  orgInvitations_delete,
  orgInvitations_listPending,
  orgInvitations_reject,
  orgInvitations_revoke,
  orgInvitations_sendNewInvitation,
  orgInvitations_update,
} from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { orgToWire, personToWire, userToWire } from '../accounts/index.ts';
import { type App, appToWire } from '../apps/index.ts';
import { getOffer, signUpByInvitation } from './invitation-sign-up.ts';
import {
  acceptAppInvitation,
  acceptOrgInvitation,
  type Invitation,
  inviteToApp,
  inviteToOrg,
  listAppInvitations,
  listOrgInvitations,
  listSentInvitations,
  rejectAppInvitation,
  rejectOrgInvitation,
  resendOrgInvitation,
  revokeAppInvitation,
  revokeOrgInvitation,
  type SentInvitation,
  updateAppInvitation,
  updateOrgInvitation,
} from './invitations.ts';

const pendingToWire = ({ id, email, role, expiresAt }: Invitation) => ({
  id,
  email,
  role,
  expires_at: toIso(expiresAt),
});

const toAppWire = (
  ctx: Pick<Ctx, 'origin' | 'publicUrl'>,
  app: App,
  { id, email, role, expiresAt, invitedBy, isExistingUser }: Invitation,
) => ({
  id,
  app: appToWire(ctx, app),
  email,
  invite_type: 'developer' as const,
  invited_by: personToWire(invitedBy),
  is_existing_user: isExistingUser,
  permissions: [role as AppPermission],
  expires_at: toIso(expiresAt),
});

const sentToWire = (ctx: Pick<Ctx, 'origin' | 'publicUrl'>, { id, email, expiresAt, org, app }: SentInvitation) => ({
  invitation_id: id,
  email,
  expires_at: toIso(expiresAt),
  organization: org && orgToWire(ctx, org),
  app: app && appToWire(ctx, app),
});

export const invitationRoutes = [
  route(orgInvitations_create, (ctx, { body }) => inviteToOrg(ctx, body.user_email, body.role)),
  route(orgInvitations_delete, (ctx, { body }) => revokeOrgInvitation(ctx, body.user_email)),
  route(orgInvitations_listPending, async (ctx, { query }) =>
    (await listOrgInvitations(ctx, query)).map(pendingToWire),
  ),
  route(orgInvitations_update, (ctx, { params, body }) => updateOrgInvitation(ctx, params.email, body.role)),
  route(orgInvitations_sendNewInvitation, (ctx, { params, body }) => resendOrgInvitation(ctx, params.email, body.role)),
  route(orgInvitations_revoke, (ctx, { params }) => revokeOrgInvitation(ctx, params.email)),
  route(appInvitations_create, (ctx, { body }) => inviteToApp(ctx, body.user_email, body.role)),
  route(appInvitations_list, async (ctx, { query }) => {
    const { app, invitations } = await listAppInvitations(ctx, query);
    return invitations.map((invitation) => toAppWire(ctx, app, invitation));
  }),
  route(appInvitations_createByEmail, (ctx, { params }) => inviteToApp(ctx, params.user_email)),
  route(appInvitations_updatePermissions, (ctx, { params, body }) =>
    updateAppInvitation(ctx, params.user_email, body.permissions),
  ),
  route(appInvitations_delete, (ctx, { params }) => revokeAppInvitation(ctx, params.user_email)),
  route(invitations_sent, async (ctx) =>
    (await listSentInvitations(ctx)).map((invitation) => sentToWire(ctx, invitation)),
  ),
  route(orgInvitations_accept, (ctx, { params }) => acceptOrgInvitation(ctx, params.invitation_token)),
  route(orgInvitations_reject, (ctx, { params }) => rejectOrgInvitation(ctx, params.invitation_token)),
  route(appInvitations_accept, (ctx, { params }) => acceptAppInvitation(ctx, params.invitation_token)),
  route(appInvitations_reject, (ctx, { params }) => rejectAppInvitation(ctx, params.invitation_token)),
  route(invitations_get, async (ctx, { params }) => {
    const { email, role, inviter, target, app, orgName, expiresAt, hasAccount } = await getOffer(
      ctx,
      params.kind,
      params.invitation_token,
    );
    return {
      email,
      role,
      invited_by: inviter,
      target,
      app: app && { name: app.name, owner: { type: app.owner.kind, name: app.owner.name } },
      organization: orgName === undefined ? undefined : { name: orgName },
      expires_at: expiresAt === undefined ? undefined : toIso(expiresAt),
      has_account: hasAccount,
    };
  }),
  route(invitations_signUp, async (ctx, { params, body: { display_name, ...person } }, reply) => {
    const { user, secret, expiresAt } = await signUpByInvitation(ctx, params.kind, params.invitation_token, {
      ...person,
      displayName: display_name,
    });
    reply.setSession(secret, expiresAt);
    return userToWire(user);
  }),
];
