import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR, SECOND } from '../../kernel/clock.ts';
import { sweepJobFiles } from './jobs/job-files.ts';
import { returnLostJobs } from './jobs/runner-jobs.ts';

const lostReturn = defineSchedule('runner_jobs.return', 30 * SECOND);
const filesSweep = defineSchedule('runner_files.sweep', HOUR);

export const runnerJobHandlers = [handleJob(lostReturn, returnLostJobs), handleJob(filesSweep, sweepJobFiles)];
