import { handleJob } from '../../../jobs/index.ts';
import { changesSweep, sweepChanges } from './health-channel.ts';

export const webhookJobs = [handleJob(changesSweep, sweepChanges)];
