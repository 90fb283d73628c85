import { handleJob } from '../../../jobs/index.ts';
import { signInsSweep, sweepSignIns } from './sessions.ts';

export const sessionJobs = [handleJob(signInsSweep, sweepSignIns)];
