import { defineDomain } from '../../domain.ts';
import { invitationRoutes } from './invitations.routes.ts';
import { invitationsTables } from './invitations.tables.ts';

export { INVITATION_LIFE, inviteToApp, inviteToOrg } from './invitations.ts';

export const invitations = defineDomain({ tables: invitationsTables, routes: invitationRoutes });
