export * from './announcements.ts';
export * from './webhooks.contract.ts';
