export * from './health-events.contract.ts';
export * from './health-feeds.contract.ts';
export * from './health-webhooks.contract.ts';
