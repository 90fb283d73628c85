import { appleMappingsExamples } from './apple-mappings.examples.ts';
import { devicesExamples } from './devices.examples.ts';
import { inAppUpdatesExamples } from './in-app-updates.examples.ts';
import { installCountsExamples } from './install-counts.examples.ts';
import { installPagesExamples } from './install-pages.examples.ts';
import { privateUpdatesExamples } from './private-updates.examples.ts';
import { releaseDestinationsExamples } from './release-destinations.examples.ts';
import { releaseGateExamples } from './release-gate.examples.ts';
import { releaseMailsExamples } from './release-mails.examples.ts';
import { releaseUploadsExamples } from './release-uploads.examples.ts';
import { releasesExamples } from './releases.examples.ts';
import { retentionExamples } from './retention.examples.ts';
import { storesExamples } from './stores.examples.ts';
import { updateFeedsExamples } from './update-feeds.examples.ts';

export const releaseExamples = {
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
  ...retentionExamples,
  ...storesExamples,
  ...updateFeedsExamples,
};
