import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { sweepBuilds } from './builds.ts';
import { expireBuilds } from './expiring.ts';
import { commitStatusSend, sendCommitStatus } from './follow-ups/commit-status.ts';
import { pollRepositories, queueWaiting } from './pushes/pushes.ts';

const buildsSweep = defineSchedule('builds.sweep', HOUR);
const buildsPoll = defineSchedule('builds.poll', MINUTE);
const buildsExpire = defineSchedule('builds.expire', MINUTE);
const buildsAdmit = defineSchedule('builds.admit', MINUTE);

export const buildJobs = [
  handleJob(buildsSweep, sweepBuilds),
  handleJob(buildsPoll, pollRepositories),
  handleJob(buildsAdmit, queueWaiting),
  handleJob(buildsExpire, expireBuilds),
  handleJob(commitStatusSend, sendCommitStatus),
];
