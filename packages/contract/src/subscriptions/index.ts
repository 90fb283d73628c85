export * from './azure-subscriptions.contract.ts';
export * from './health.surface.ts';
export * from './subscriptions.contract.ts';
