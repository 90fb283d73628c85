export * from './administration.contract.ts';
