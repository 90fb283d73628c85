import { handleJob } from '../../jobs/index.ts';
import { tellExpiring, tokensExpiring } from './expiring.ts';

export const tokenJobs = [handleJob(tokensExpiring, tellExpiring)];
