export { usageExamples } from './usage.examples.ts';
