export * from './sdk-keys.contract.ts';
