import { appleMappingsExamples } from './distribution/apple-mappings.examples.ts';
import { devicesExamples } from './distribution/devices.examples.ts';
import { releaseDestinationsExamples } from './distribution/release-destinations.examples.ts';
import { releaseGateExamples } from './distribution/release-gate.examples.ts';
import { releaseMailsExamples } from './distribution/release-mails.examples.ts';
import { releaseStoryExamples } from './distribution/release-story.examples.ts';
import { storesExamples } from './distribution/stores.examples.ts';
import { inAppUpdatesExamples } from './installation/in-app-updates.examples.ts';
import { installCountsExamples } from './installation/install-counts.examples.ts';
import { installPagesExamples } from './installation/install-pages.examples.ts';
import { privateUpdatesExamples } from './installation/private-updates.examples.ts';
import { sentryUpdateCheckExamples } from './installation/sentry-update-check.examples.ts';
import { updateFeedsExamples } from './installation/update-feeds.examples.ts';
import { releaseUploadsExamples } from './release-uploads.examples.ts';
import { releasesExamples } from './releases.examples.ts';
import { retentionExamples } from './retention.examples.ts';

export const examples = {
  ...appleMappingsExamples,
  ...devicesExamples,
  ...inAppUpdatesExamples,
  ...installCountsExamples,
  ...privateUpdatesExamples,
  ...installPagesExamples,
  ...releaseDestinationsExamples,
  ...releaseMailsExamples,
  ...releaseUploadsExamples,
  ...releasesExamples,
  ...releaseGateExamples,
  ...releaseStoryExamples,
  ...retentionExamples,
  ...sentryUpdateCheckExamples,
  ...storesExamples,
  ...updateFeedsExamples,
};
