export * from './api-tokens.contract.ts';
export * from './token-permissions.ts';
