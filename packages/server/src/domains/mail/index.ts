import { defineDomain } from '../../domain.ts';
import { mailSettings } from './mail.settings.ts';
import { mailTables } from './mail.tables.ts';
import { mailJobs } from './mails.jobs.ts';
import { mailRoutes } from './mails.routes.ts';

export {
  listCrowdedRecipients,
  lockRecipients,
  MAILS_BEFORE_TEST,
  type NewMail,
  refuseCrowdedRecipient,
  sanitizeName,
  sendMail,
  tooManyMails,
} from './mails.ts';
export { unsubscribeLinks } from './unsubscribe-links.ts';

export const mail = defineDomain({ settings: mailSettings, tables: mailTables, routes: mailRoutes, jobs: mailJobs });
