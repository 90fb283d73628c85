export * from './configurations.contract.ts';
export * from './history.contract.ts';
