import { orgsExamples } from './orgs.examples.ts';
import { passwordResetsExamples } from './password-resets.examples.ts';
import { serverExamples } from './server.examples.ts';
import { serviceAccountsExamples } from './service-accounts.examples.ts';
import { sessionsExamples } from './sessions.examples.ts';
import { usersExamples } from './users.examples.ts';

export const examples = {
  ...orgsExamples,
  ...passwordResetsExamples,
  ...serverExamples,
  ...serviceAccountsExamples,
  ...sessionsExamples,
  ...usersExamples,
};
