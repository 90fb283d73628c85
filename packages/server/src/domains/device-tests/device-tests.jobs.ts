import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { buildTest, testBuild } from './built-packages.ts';
import { endOverdue, sweepRuns } from './runs/sweeping.ts';

const overdueEnd = defineSchedule('test_runs.end', 5 * MINUTE);
const runsSweep = defineSchedule('test_runs.sweep', HOUR);

export const testJobs = [
  handleJob(overdueEnd, endOverdue),
  handleJob(runsSweep, sweepRuns),
  handleJob(buildTest, testBuild),
];
