export { type ServerIdentity, serverRoutes } from './server.routes.ts';
export { sessionRoutes } from './sessions.routes.ts';
export { findSessionActor, sweepSignIns, writeLastSeen } from './sessions.ts';
export { completeSetup, isSetupRequired, prepareFirstAdmin } from './setup.ts';
export { checkPassword } from './sign-in.ts';
export { toUser } from './user.ts';
export { userRoutes } from './users.routes.ts';
export { createUser } from './users.ts';
