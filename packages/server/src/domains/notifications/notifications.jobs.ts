import { handleJob } from '../../jobs/index.ts';
import { digestsSend, sendDigests } from './telling.ts';

export const notificationJobs = [handleJob(digestsSend, sendDigests)];
