import { defineDomain } from '../../domain.ts';
import { finders } from '../../extensions/finders.ts';
import { passwordChecks } from '../../extensions/password-checks.ts';
import { accountFinders } from './account-finders.ts';
import { accountEvents } from './accounts.events.ts';
import { accountsSettings } from './accounts.settings.ts';
import { accountsTables } from './accounts.tables.ts';
import { orgScope } from './orgs/org.scope.ts';
import { orgRoutes } from './orgs/orgs.routes.ts';
import { serviceAccountRoutes } from './orgs/service-accounts.routes.ts';
import { serverRoutes } from './server.routes.ts';
import { passwordResetJobs } from './sessions/password-resets.jobs.ts';
import { passwordResetRoutes } from './sessions/password-resets.routes.ts';
import { sessionJobs } from './sessions/sessions.jobs.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { findSessionActor, isSessionSecret, writeLastSeen } from './sessions/sessions.ts';
import { prepareFirstAdmin } from './sessions/setup.ts';
import { checkSignIn } from './sessions/sign-in.ts';
import { userRoutes } from './users/users.routes.ts';

export {
  memberDemoted,
  memberJoined,
  memberRemoved,
  ownerDeleting,
  tokensRevoked,
  userDisabled,
} from './accounts.events.ts';
export { orgToWire } from './orgs/orgs.routes.ts';
export {
  addMember,
  createOrg,
  currentOwnerName,
  endMembership,
  findMember,
  findMemberByEmail,
  findOrgGrant,
  findOwner,
  findRole,
  getMember,
  joinOrg,
  listOrgs,
  lockMembership,
  type Org,
  removeMember,
  updateMember,
} from './orgs/orgs.ts';
export { getServiceAccount } from './orgs/service-accounts.ts';
export { isServiceAddress } from './orgs/service-address.ts';
export {
  endProviderSessions,
  endSession,
  endUserSessions,
  findConfirmedAt,
  findProviderSession,
  findSessionActor,
  noteConfirmation,
  type OpenedSession,
  openSession,
  type ProviderSession,
} from './sessions/sessions.ts';
export {
  accountSubject,
  checkPassword,
  checkSignIn,
  clearAttempts,
  countAttempt,
  decoyHash,
  networkSubject,
} from './sessions/sign-in.ts';
export { toUser } from './users/user.ts';
export { deleteUser, refuseIndispensable } from './users/user-deletion.ts';
export { personToWire, userToWire } from './users/users.routes.ts';
export {
  type Account,
  addUser,
  createUser,
  findActiveUser,
  findPerson,
  findPersonByEmail,
  getAccount,
  isEmailVerified,
  lockAccounts,
  type NewUser,
  updateAccount,
  withPasswordHash,
} from './users/users.ts';

export const accounts = defineDomain({
  settings: accountsSettings,
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
  extensions: [finders.add(...accountFinders), passwordChecks.add(checkSignIn)],
  credentials: (deps) => [
    {
      name: 'session',
      sent: 'session',
      fits: isSessionSecret,
      find: (value) => findSessionActor(deps, value),
      writeLastUse: (entries) => writeLastSeen(deps, entries),
    },
  ],
  start: async (ctx) => ({ setupToken: await prepareFirstAdmin(ctx) }),
});
