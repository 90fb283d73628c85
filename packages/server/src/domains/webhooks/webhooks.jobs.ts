import { handleJob } from '../../jobs/index.ts';
import { announcementsSweep, sweepWebhooks } from './webhook-channel.ts';

export const webhookJobs = [handleJob(announcementsSweep, sweepWebhooks)];
