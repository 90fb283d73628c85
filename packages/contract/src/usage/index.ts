export * from './usage.contract.ts';
