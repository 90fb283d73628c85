export * from './provisioning.contract.ts';
export * from './scim.contract.ts';
export * from './scim.surface.ts';
