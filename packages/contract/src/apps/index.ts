export * from './apps.contract.ts';
export * from './teams.contract.ts';
