import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { sweepBuilds } from './builds.ts';

const buildsSweep = defineSchedule('builds.sweep', HOUR);

export const buildJobs = [handleJob(buildsSweep, sweepBuilds)];
