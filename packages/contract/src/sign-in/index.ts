export * from './confirmations.contract.ts';
export * from './factor-rules.contract.ts';
export * from './group-mappings.contract.ts';
export * from './identity-providers.contract.ts';
export * from './passkeys.contract.ts';
export * from './second-factor.contract.ts';
export * from './sign-in.contract.ts';
export * from './sign-in-rules.contract.ts';
