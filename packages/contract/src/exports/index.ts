export * from './export-configurations.contract.ts';
