export * from './orgs.contract.ts';
export * from './password-resets.contract.ts';
export * from './server.contract.ts';
export * from './service-accounts.contract.ts';
export * from './sessions.contract.ts';
export * from './users.contract.ts';
