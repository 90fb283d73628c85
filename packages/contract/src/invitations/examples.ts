export * from './invitations.examples.ts';
