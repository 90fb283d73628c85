import { handleJob } from '../../jobs/index.ts';
import { ciTokensSweep, sweepCiTokens } from './ci/ci-tokens.ts';
import { notifyExpiring, tokensExpiring } from './expiring.ts';
import { proofsSweep, sweepProofs } from './used-proofs.ts';

export const tokenJobs = [
  handleJob(tokensExpiring, notifyExpiring),
  handleJob(ciTokensSweep, sweepCiTokens),
  handleJob(proofsSweep, sweepProofs),
];
