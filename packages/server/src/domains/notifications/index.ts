import { defineDomain } from '../../domain.ts';
import { emailSettingsRoutes } from './email-settings.routes.ts';
import { notificationJobs } from './notifications.jobs.ts';
import { notificationListeners } from './notifications.listeners.ts';
import { notificationsTables } from './notifications.tables.ts';
import { mailReaders } from './telling.ts';

export const notifications = defineDomain({
  tables: notificationsTables,
  jobs: notificationJobs,
  listeners: notificationListeners,
  readers: mailReaders,
  routes: emailSettingsRoutes,
});
