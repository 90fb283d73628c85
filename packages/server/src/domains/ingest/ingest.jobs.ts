import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { sweepBatches } from './batches/batches.ts';
import { sweepCounts } from './status/ingestion-status.ts';

const batchesSweep = defineSchedule('ingest_batches.sweep', 10 * MINUTE);
const countsSweep = defineSchedule('ingest_counts.sweep', 60 * MINUTE);

export const ingestJobs = [handleJob(batchesSweep, sweepBatches), handleJob(countsSweep, sweepCounts)];
