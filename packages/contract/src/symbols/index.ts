export * from './symbols.contract.ts';
