export * from './azure-subscriptions.contract.ts';
export * from './subscriptions.contract.ts';
