import { analyticsExamples as ownExamples } from './analytics.examples.ts';
import { audiencesExamples } from './audiences.examples.ts';
import { chartsExamples } from './charts.examples.ts';
import { exploreExamples } from './explore.examples.ts';
import { keptExamples } from './kept.examples.ts';

export const analyticsExamples = {
  ...ownExamples,
  ...audiencesExamples,
  ...chartsExamples,
  ...exploreExamples,
  ...keptExamples,
};
