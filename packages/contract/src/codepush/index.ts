export * from './acquisition.contract.ts';
export * from './deployment-keys.contract.ts';
export * from './deployments.contract.ts';
export * from './explanations.contract.ts';
export * from './release-fields.ts';
export * from './releases.contract.ts';
