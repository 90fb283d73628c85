import { defineSchedule, handleJob } from '../jobs/index.ts';
import { HOUR } from '../kernel/clock.ts';
import { sweepUploads } from './uploads.ts';

const uploadsSweep = defineSchedule('uploads.sweep', HOUR);

export const uploadJobs = [handleJob(uploadsSweep, (ctx) => sweepUploads(ctx))];
