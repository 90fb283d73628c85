import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { invitationOverview } from './invitation-overview.ts';
import { invitationListeners } from './invitations.listeners.ts';
import { invitationRoutes } from './invitations.routes.ts';
import { invitationsTables } from './invitations.tables.ts';

export { INVITATION_LIFE, inviteToApp, inviteToOrg } from './invitations.ts';

export const invitations = defineDomain({
  tables: invitationsTables,
  routes: invitationRoutes,
  extensions: [appOverviews.add(invitationOverview)],
  listeners: invitationListeners,
});
