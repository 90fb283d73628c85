import { appAccessExamples } from './app-access.examples.ts';
import { appFavoritesExamples } from './app-favorites.examples.ts';
import { appOverviewExamples } from './app-overview.examples.ts';
import { appSecretsExamples } from './app-secrets.examples.ts';
import { appSummariesExamples } from './app-summaries.examples.ts';
import { appsExamples as ownExamples } from './apps.examples.ts';
import { teamsExamples } from './teams.examples.ts';

export const examples = {
  ...appAccessExamples,
  ...appFavoritesExamples,
  ...appOverviewExamples,
  ...appSecretsExamples,
  ...ownExamples,
  ...appSummariesExamples,
  ...teamsExamples,
};
