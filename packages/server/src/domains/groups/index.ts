import { defineDomain } from '../../domain.ts';
import { groupMemberRoutes } from './group-members.routes.ts';
import { groupListeners } from './groups.listeners.ts';
import { groupRoutes } from './groups.routes.ts';

export { acceptGroupInvitations, findGroupOffer } from './group-members.ts';

export const groups = defineDomain({
  name: 'groups',
  routes: [...groupRoutes, ...groupMemberRoutes],
  listeners: groupListeners,
});
