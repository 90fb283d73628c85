import { defineDomain } from '../../domain.ts';
import { groupMemberRoutes } from './group-members.routes.ts';
import { groupListeners } from './groups.listeners.ts';
import { groupRoutes } from './groups.routes.ts';
import { groupsTables } from './groups.tables.ts';

export { acceptGroupInvitations, findGroupOffer, listTesters } from './group-members.ts';
export { type Group, getGroup, groupKey, listGroups } from './groups.ts';

export const groups = defineDomain({
  tables: groupsTables,
  routes: [...groupRoutes, ...groupMemberRoutes],
  listeners: groupListeners,
});
