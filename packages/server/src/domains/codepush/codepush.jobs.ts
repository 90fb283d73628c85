import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { diffsMake, makeDiffs } from './diffs.ts';
import { sweepHours } from './metrics.ts';
import { sweepPackages } from './packages.ts';
import { sweepReports } from './reports.ts';
import { checkRollout, rolloutsCheck } from './rollout-halts.ts';

const hoursSweep = defineSchedule('codepush_hours.sweep', HOUR);
const packagesSweep = defineSchedule('codepush_packages.sweep', HOUR);
const reportsSweep = defineSchedule('codepush_reports.sweep', HOUR);

export const codepushJobs = [
  handleJob(diffsMake, makeDiffs),
  handleJob(rolloutsCheck, checkRollout),
  handleJob(hoursSweep, sweepHours),
  handleJob(packagesSweep, sweepPackages),
  handleJob(reportsSweep, sweepReports),
];
