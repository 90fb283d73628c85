export { groupMemberRoutes } from './group-members.routes.ts';
export { acceptGroupInvitations, findGroupOffer } from './group-members.ts';
export { groupRoutes } from './groups.routes.ts';
