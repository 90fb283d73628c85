export * from './identity-providers.contract.ts';
export * from './second-factor.contract.ts';
export * from './sign-in.contract.ts';
export * from './sign-in-rules.contract.ts';
