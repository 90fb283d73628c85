export * from './api-tokens.contract.ts';
export * from './ci-rules.contract.ts';
export * from './token-permissions.ts';
