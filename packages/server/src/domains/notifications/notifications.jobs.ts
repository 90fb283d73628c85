import { handleJob } from '../../jobs/index.ts';
import { digestsSend, sendDigests } from './email-dispatch.ts';

export const notificationJobs = [handleJob(digestsSend, sendDigests)];
