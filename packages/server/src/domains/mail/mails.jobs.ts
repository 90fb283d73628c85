import { handleJob, type JobHandler } from '../../jobs/index.ts';
import type { Mailer } from '../../outbound/mailer.ts';
import { deliverMail, mailSend } from './mails.ts';

export const mailJobs = (mailer: Mailer | undefined): JobHandler[] => [
  handleJob(mailSend, (ctx, { mailId, isSecret }) => deliverMail(ctx, mailer, mailId, { isSecret })),
];
