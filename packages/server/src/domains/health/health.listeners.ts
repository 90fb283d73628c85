import { onAsJob, onInTransaction } from '../../jobs/index.ts';
import { consentEnded } from '../identity/index.ts';
import { announced } from '../webhooks/index.ts';
import { isAlert, publishAlert } from './events/alerts.ts';
import { endClientFeeds } from './feeds/health-feeds.ts';
import { healthChanged } from './health.events.ts';
import { announceChanges } from './webhooks/announcing.ts';
import { fanOut } from './webhooks/fan-out.ts';
import { endClientWebhooks } from './webhooks/health-webhooks.ts';

export const healthListeners = [
  onAsJob(healthChanged, 'health.changed', (ctx, { changeIds }) => fanOut(ctx, changeIds)),
  onAsJob(healthChanged, 'health.announce', (ctx, { changeIds }) => announceChanges(ctx, changeIds)),
  onAsJob(announced, 'health.publish_alert', publishAlert, isAlert),
  // Webhooks and feeds that an OAuth client created end with its consent.
  onInTransaction(consentEnded, async (ctx, grant) => {
    await endClientWebhooks(ctx, grant);
    await endClientFeeds(ctx, grant);
  }),
];
