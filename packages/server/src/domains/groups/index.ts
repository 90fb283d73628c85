import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { createMissingCollaborators } from './collaborators.ts';
import { groupMemberRoutes } from './group-members.routes.ts';
import { groupOverview } from './group-overview.ts';
import { groupEvents } from './groups.events.ts';
import { groupListeners } from './groups.listeners.ts';
import { groupRoutes } from './groups.routes.ts';
import { groupsTables } from './groups.tables.ts';

export {
  acceptGroupInvitations,
  addGroupUsers,
  findGroupOffer,
  type InvitedApp,
  removeGroupUsers,
  toInvitedApp,
} from './group-members.ts';
export { groupJoined } from './groups.events.ts';
export { findSharedGroup, type Group, getGroup, getGroupById, groupKey } from './groups.ts';

export const groups = defineDomain({
  tables: groupsTables,
  routes: [...groupRoutes, ...groupMemberRoutes],
  events: groupEvents,
  extensions: [appOverviews.add(groupOverview)],
  listeners: groupListeners,
  start: createMissingCollaborators,
});
