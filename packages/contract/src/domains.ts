/** The contract of each domain: its endpoints, schemas and words. */
export * from './accounts/index.ts';
export * from './administration/index.ts';
export * from './analytics/index.ts';
export * from './apps/index.ts';
export * from './audit/index.ts';
export * from './avatars/index.ts';
export * from './codepush/index.ts';
export * from './groups/index.ts';
export * from './health/index.ts';
export * from './identity/index.ts';
export * from './ingest/index.ts';
export * from './invitations/index.ts';
export * from './mail/index.ts';
export * from './search/index.ts';
export * from './subscriptions/index.ts';
export * from './symbols/index.ts';
export * from './tokens/index.ts';
