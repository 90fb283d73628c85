import { handleJob, type JobHandler } from '../../../jobs/index.ts';
import { mailPasswordReset, passwordResetSend } from './password-resets.ts';

export const passwordResetJobs: JobHandler[] = [handleJob(passwordResetSend, mailPasswordReset)];
