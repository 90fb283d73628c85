export { announcementExamples } from './announcements.examples.ts';
export { webhooksExamples } from './webhooks.examples.ts';
