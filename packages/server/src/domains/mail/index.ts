import { defineDomain } from '../../domain.ts';
import { mailTables } from './mail.tables.ts';
import { mailJobs } from './mails.jobs.ts';
import { mailRoutes } from './mails.routes.ts';

export {
  asWords,
  listCrowdedRecipients,
  lockRecipients,
  MAILS_BEFORE_TEST,
  type NewMail,
  refuseCrowdedRecipient,
  sendMail,
  tooManyMails,
} from './mails.ts';
export { unsubscribeLinks } from './unsubscribe-links.ts';

export const mail = defineDomain({ tables: mailTables, routes: mailRoutes, jobs: mailJobs });
