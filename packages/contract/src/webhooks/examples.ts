export { announcementExamples } from './announcements.examples.ts';
export { webhooksExamples as examples } from './webhooks.examples.ts';
