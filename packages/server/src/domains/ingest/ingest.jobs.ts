import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { sweepBatches } from './batches.ts';

export const batchesSweep = defineSchedule('ingest_batches.sweep', 10 * MINUTE);

export const ingestJobs = [handleJob(batchesSweep, sweepBatches)];
