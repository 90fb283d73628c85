export * from './invitations.contract.ts';
