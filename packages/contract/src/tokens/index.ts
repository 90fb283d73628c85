export * from './api-tokens.contract.ts';
