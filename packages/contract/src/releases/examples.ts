import { inAppUpdatesExamples } from './in-app-updates.examples.ts';
import { releaseDestinationsExamples } from './release-destinations.examples.ts';
import { releaseUploadsExamples } from './release-uploads.examples.ts';
import { releasesExamples } from './releases.examples.ts';

export const releaseExamples = {
  ...inAppUpdatesExamples,
  ...releaseDestinationsExamples,
  ...releaseUploadsExamples,
  ...releasesExamples,
};
