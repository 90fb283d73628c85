import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { sweepJobFiles } from './job-files.ts';
import { returnLostJobs } from './runner-jobs.ts';

const lostReturn = defineSchedule('runner_jobs.return', MINUTE);
const filesSweep = defineSchedule('runner_files.sweep', HOUR);

export const runnerJobHandlers = [handleJob(lostReturn, returnLostJobs), handleJob(filesSweep, sweepJobFiles)];
