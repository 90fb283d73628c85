import { analyticsExamples as ownExamples } from './analytics.examples.ts';
import { analyticsDataExamples } from './analytics-data.examples.ts';
import { audiencesExamples } from './audiences.examples.ts';
import { chartsExamples } from './charts.examples.ts';
import { exploreExamples } from './explore.examples.ts';

export const examples = {
  ...ownExamples,
  ...audiencesExamples,
  ...chartsExamples,
  ...exploreExamples,
  ...analyticsDataExamples,
};
