import { handleJob } from '../../jobs/index.ts';
import { keysRotate, rotateDueKeys } from './keys.ts';
import { codesSweep, sweepCodes } from './token-requests.ts';

export const identityJobs = [handleJob(keysRotate, rotateDueKeys), handleJob(codesSweep, sweepCodes)];
