export * from './app-access.contract.ts';
export * from './app-favorites.contract.ts';
export * from './app-overview.contract.ts';
export * from './app-secrets.contract.ts';
export * from './app-summaries.contract.ts';
export * from './apps.contract.ts';
export * from './teams.contract.ts';
