import { defineDomain } from '../../domain.ts';
import { mailTables } from './mail.tables.ts';
import { mailJobs } from './mails.jobs.ts';
import { mailRoutes } from './mails.routes.ts';

export {
  asWords,
  listCrowdedRecipients,
  type NewMail,
  refuseCrowdedRecipient,
  sendMail,
  tooManyMails,
} from './mails.ts';

export const mail = defineDomain({ tables: mailTables, routes: mailRoutes, jobs: mailJobs });
