import { handleJob } from '../../jobs/index.ts';
import { deliverMail, mailSend } from './mails.ts';

export const mailJobs = [handleJob(mailSend, (ctx, { mailId, isSecret }) => deliverMail(ctx, mailId, { isSecret }))];
