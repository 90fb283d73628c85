export * from './crash-analytics.contract.ts';
export * from './crash-groups.contract.ts';
export * from './crash-issues.contract.ts';
export * from './errors.contract.ts';
export * from './session-logs.contract.ts';
export { frameLanguages, groupStates, stackPlatforms } from './shapes.ts';
