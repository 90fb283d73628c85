export * from './configurations.contract.ts';
