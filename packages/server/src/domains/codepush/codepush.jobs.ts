import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { sweepHours } from './metrics/metrics.ts';
import { sweepReports } from './metrics/reports.ts';
import { checkRollout, rolloutsCheck } from './metrics/rollout-halts.ts';
import { diffsMake, makeDiffs } from './packages/diffs.ts';
import { sweepPackages } from './packages/packages.ts';

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
