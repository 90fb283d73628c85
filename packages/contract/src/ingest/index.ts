export * from './blocks.contract.ts';
export * from './ingestion.contract.ts';
export * from './ingestion.family.ts';
export * from './logs.contract.ts';
