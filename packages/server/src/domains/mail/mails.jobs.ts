import { handleJob } from '../../jobs/index.ts';
import { deliverMail, formerMailSend, mailSend, mailsSweep, sweepMails } from './mails.ts';

export const mailJobs = [
  handleJob(mailSend, (ctx, { mailId, isSecret }) => deliverMail(ctx, mailId, { isSecret })),
  handleJob(formerMailSend, (ctx, { mailId, isSecret }) => deliverMail(ctx, mailId, { isSecret })),
  handleJob(mailsSweep, sweepMails),
];
