export { invitationRoutes } from './invitations.routes.ts';
export { INVITATION_LIFE, inviteToApp, inviteToOrg } from './invitations.ts';
