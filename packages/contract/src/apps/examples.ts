import { appAccessExamples } from './app-access.examples.ts';
import { appSecretsExamples } from './app-secrets.examples.ts';
import { appsExamples as ownExamples } from './apps.examples.ts';
import { glancesExamples } from './glances.examples.ts';
import { teamsExamples } from './teams.examples.ts';

export const appsExamples = {
  ...appAccessExamples,
  ...appSecretsExamples,
  ...ownExamples,
  ...glancesExamples,
  ...teamsExamples,
};
