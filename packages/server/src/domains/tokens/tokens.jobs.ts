import { handleJob } from '../../jobs/index.ts';
import { notifyExpiring, tokensExpiring } from './expiring.ts';

export const tokenJobs = [handleJob(tokensExpiring, notifyExpiring)];
