export * from './oauth.contract.ts';
export * from './oauth-protocol.contract.ts';
