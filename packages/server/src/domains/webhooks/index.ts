import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { webhookChannel } from './webhook-channel.ts';
import { webhookOverview } from './webhook-overview.ts';
import { webhookEvents } from './webhooks.events.ts';
import { webhookJobs } from './webhooks.jobs.ts';
import { webhookListeners } from './webhooks.listeners.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { webhooksTables } from './webhooks.tables.ts';

export { type AnnouncementText, formatAnnouncement } from './announcement-text.ts';
export {
  type AnnouncedApp,
  type Announcement,
  announceForApp,
  announceForOrg,
  findAnnouncedApp,
  findAnnouncement,
} from './announcements.ts';
export { countListeningWebhooks, listOrgsAwaiting } from './fan-out.ts';
export { announced } from './webhooks.events.ts';

export const webhooks = defineDomain({
  tables: webhooksTables,
  events: webhookEvents,
  jobs: webhookJobs,
  extensions: [appOverviews.add(webhookOverview)],
  channels: [webhookChannel],
  listeners: webhookListeners,
  routes: webhookRoutes,
});
