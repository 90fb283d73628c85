import { handleJob } from '../../jobs/index.ts';
import { deliverMail, mailSend, mailsSweep, previousMailSend, sweepMails } from './mails.ts';

export const mailJobs = [
  handleJob(mailSend, (ctx, { mailId, isSecret }) => deliverMail(ctx, mailId, { isSecret })),
  handleJob(previousMailSend, (ctx, { mailId, isSecret }) => deliverMail(ctx, mailId, { isSecret })),
  handleJob(mailsSweep, sweepMails),
];
