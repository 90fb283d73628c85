export { usageExamples as examples } from './usage.examples.ts';
