export * from './blocks.contract.ts';
export * from './envelopes.contract.ts';
export * from './ingestion.contract.ts';
export * from './ingestion.surface.ts';
export * from './logs.contract.ts';
export * from './sentry.surface.ts';
