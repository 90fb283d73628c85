import { healthEventsExamples } from './health-events.examples.ts';
import { healthFeedsExamples } from './health-feeds.examples.ts';
import { healthWebhooksExamples } from './health-webhooks.examples.ts';

export const examples = { ...healthEventsExamples, ...healthFeedsExamples, ...healthWebhooksExamples };
