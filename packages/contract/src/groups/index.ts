export * from './group-members.contract.ts';
export * from './groups.contract.ts';
