import { defineDomain } from '../../domain.ts';
import { invitationListeners } from './invitations.listeners.ts';
import { invitationRoutes } from './invitations.routes.ts';
import { invitationsTables } from './invitations.tables.ts';

export { INVITATION_LIFE, inviteToApp, inviteToOrg } from './invitations.ts';

export const invitations = defineDomain({
  tables: invitationsTables,
  routes: invitationRoutes,
  listeners: invitationListeners,
});
