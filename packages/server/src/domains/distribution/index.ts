export { groupMemberRoutes } from './group-members.routes.ts';
export { groupRoutes } from './groups.routes.ts';
