export { addFeeds, feedRoutes } from './feeds.routes.ts';
export { webhookJobs } from './webhooks.jobs.ts';
export { webhookRoutes } from './webhooks.routes.ts';
