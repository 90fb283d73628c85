import { defineDomain } from '../../domain.ts';
import { accountFinders } from './account-finders.ts';
import { accountEvents } from './accounts.events.ts';
import { accountsTables } from './accounts.tables.ts';
import { orgScope } from './org.scope.ts';
import { orgRoutes } from './orgs.routes.ts';
import { passwordResetJobs } from './password-resets.jobs.ts';
import { passwordResetRoutes } from './password-resets.routes.ts';
import { serverRoutes } from './server.routes.ts';
import { serviceAccountRoutes } from './service-accounts.routes.ts';
import { sessionJobs } from './sessions.jobs.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { findSessionActor, isSessionSecret, writeLastSeen } from './sessions.ts';
import { prepareFirstAdmin } from './setup.ts';
import { checkPassword } from './sign-in.ts';
import { userRoutes } from './users.routes.ts';

export { memberRemoved, ownerDeleting, tokensRevoked } from './accounts.events.ts';
export { orgToWire } from './orgs.routes.ts';
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
export { getServiceAccount } from './service-accounts.ts';
export { isServiceAddress } from './service-address.ts';
export { type OpenedSession, openSession } from './sessions.ts';
export { toUser } from './user.ts';
export { deleteUser, refuseIndispensable } from './user-deletion.ts';
export { personToWire, userToWire } from './users.routes.ts';
export {
  type Account,
  addUser,
  createUser,
  findActiveUser,
  findPerson,
  findPersonByEmail,
  getAccount,
  isEmailVerified,
  type NewUser,
  withPasswordHash,
} from './users.ts';

export const accounts = defineDomain({
  tables: accountsTables,
  routes: [
    ...userRoutes,
    ...passwordResetRoutes,
    ...orgRoutes,
    ...serviceAccountRoutes,
    ...sessionRoutes,
    ...serverRoutes,
  ],
  events: accountEvents,
  jobs: [...sessionJobs, ...passwordResetJobs],
  scopes: [orgScope],
  finders: accountFinders,
  credentials: (deps) => [
    { name: 'session', sent: 'session', fits: isSessionSecret, find: (value) => findSessionActor(deps, value) },
  ],
  checkPassword,
  lastUse: { credential: 'session', write: writeLastSeen },
  start: async (ctx) => ({ setupToken: await prepareFirstAdmin(ctx) }),
});
