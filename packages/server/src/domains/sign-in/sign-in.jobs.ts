import { handleJob } from '../../jobs/index.ts';
import { proofsSweep, sweepProofs } from './used-proofs.ts';

export const signInJobs = [handleJob(proofsSweep, sweepProofs)];
