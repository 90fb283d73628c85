export * from './azure-subscriptions.contract.ts';
export * from './health.family.ts';
export * from './subscriptions.contract.ts';
