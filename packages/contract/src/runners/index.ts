export * from './devices.ts';
export * from './runner-jobs.contract.ts';
export * from './runners.contract.ts';
export * from './runners.surface.ts';
export * from './signed-protocol.ts';
