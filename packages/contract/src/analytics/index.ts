export * from './crashes.contract.ts';
export * from './devices.contract.ts';
export * from './events.contract.ts';
export * from './log-flow.contract.ts';
export * from './sessions.contract.ts';
