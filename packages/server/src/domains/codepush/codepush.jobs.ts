import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { diffsMake, makeDiffs } from './diffs.ts';
import { sweepPackages } from './packages.ts';
import { sweepReports } from './reports.ts';

const packagesSweep = defineSchedule('codepush_packages.sweep', HOUR);
const reportsSweep = defineSchedule('codepush_reports.sweep', HOUR);

export const codepushJobs = [
  handleJob(diffsMake, makeDiffs),
  handleJob(packagesSweep, sweepPackages),
  handleJob(reportsSweep, sweepReports),
];
