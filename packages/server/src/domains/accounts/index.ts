export { orgRoutes, orgToWire } from './orgs.routes.ts';
export {
  addMember,
  createOrg,
  currentOwnerName,
  findMemberByEmail,
  findOrgGrant,
  findOwner,
  getMember,
  joinOrg,
  listOrgs,
  type Org,
} from './orgs.ts';
export { passwordResetJobs } from './password-resets.jobs.ts';
export { passwordResetRoutes } from './password-resets.routes.ts';
export { type ServerIdentity, serverRoutes } from './server.routes.ts';
export { serviceAccountRoutes } from './service-accounts.routes.ts';
export { getServiceAccount, isServiceAddress } from './service-accounts.ts';
export { sessionJobs } from './sessions.jobs.ts';
export { sessionRoutes } from './sessions.routes.ts';
export { findSessionActor, isSessionSecret, type OpenedSession, openSession, writeLastSeen } from './sessions.ts';
export { prepareFirstAdmin } from './setup.ts';
export { checkPassword } from './sign-in.ts';
export { toUser } from './user.ts';
export { personToWire, userRoutes, userToWire } from './users.routes.ts';
export {
  addUser,
  createUser,
  findActiveUser,
  findPerson,
  findPersonByEmail,
  type NewUser,
  withPasswordHash,
} from './users.ts';
