import { defineDomain } from '../../domain.ts';
import { emailSettingsRoutes } from './email-settings.routes.ts';
import { notificationJobs } from './notifications.jobs.ts';
import { notificationListeners } from './notifications.listeners.ts';
import { notificationsTables } from './notifications.tables.ts';

export const notifications = defineDomain({
  tables: notificationsTables,
  jobs: notificationJobs,
  listeners: notificationListeners,
  routes: emailSettingsRoutes,
});
