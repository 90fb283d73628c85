export * from './in-app-updates.contract.ts';
export * from './package-kinds.ts';
export * from './release-destinations.contract.ts';
export * from './release-uploads.contract.ts';
export * from './releases.contract.ts';
