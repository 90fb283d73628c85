export { invitationsExamples as examples } from './invitations.examples.ts';
