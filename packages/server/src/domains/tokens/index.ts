export { apiTokenRoutes } from './api-tokens.routes.ts';
export { findTokenActor, TOKENS_PER_ACCOUNT, writeLastUsed } from './api-tokens.ts';
export { isToken } from './token-value.ts';
