import { defineDomain } from '../../domain.ts';
import { webhookChannel } from './webhook-channel.ts';
import { webhookEvents } from './webhooks.events.ts';
import { webhookJobs } from './webhooks.jobs.ts';
import { webhookListeners } from './webhooks.listeners.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { webhooksTables } from './webhooks.tables.ts';

export { type Words, wordsOf } from './announcement-words.ts';
export {
  type Announcement,
  announceForApp,
  announceForOrg,
  findAnnouncement,
  findTold,
  type ToldApp,
} from './announcements.ts';
export { countToldWebhooks, listOrgsAwaiting } from './fan-out.ts';
export { announced, issueChanged } from './webhooks.events.ts';

export const webhooks = defineDomain({
  tables: webhooksTables,
  events: webhookEvents,
  jobs: webhookJobs,
  channels: [webhookChannel],
  listeners: webhookListeners,
  routes: webhookRoutes,
});
