import { defineDomain } from '../../domain.ts';
import { subscribers } from '../../extensions/subscribers.ts';
import { mailReaders } from './email-dispatch.ts';
import { emailSettingsRoutes } from './email-settings.routes.ts';
import { notificationJobs } from './notifications.jobs.ts';
import { notificationListeners } from './notifications.listeners.ts';
import { notificationsTables } from './notifications.tables.ts';

export const notifications = defineDomain({
  tables: notificationsTables,
  jobs: notificationJobs,
  listeners: notificationListeners,
  extensions: [subscribers.add(mailReaders)],
  routes: emailSettingsRoutes,
});
