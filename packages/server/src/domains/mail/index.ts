export { mailJobs } from './mails.jobs.ts';
export { mailRoutes } from './mails.routes.ts';
export { type NewMail, onOneLine, sendMail } from './mails.ts';
