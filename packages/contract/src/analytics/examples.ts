export { analyticsExamples } from './analytics.examples.ts';
