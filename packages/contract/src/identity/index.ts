export * from './oauth.contract.ts';
