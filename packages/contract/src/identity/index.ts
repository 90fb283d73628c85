export * from './device-sign-ins.contract.ts';
export * from './oauth.contract.ts';
export * from './oauth-protocol.contract.ts';
