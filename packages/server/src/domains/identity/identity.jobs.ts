import { handleJob } from '../../jobs/index.ts';
import { codesSweep, sweepCodes } from './authorize/token-requests.ts';
import { deviceSignInsSweep, sweepDeviceSignIns } from './device/device-sign-ins.ts';
import { keysRotate, rotateDueKeys } from './tokens/keys.ts';

export const identityJobs = [
  handleJob(keysRotate, rotateDueKeys),
  handleJob(codesSweep, sweepCodes),
  handleJob(deviceSignInsSweep, sweepDeviceSignIns),
];
