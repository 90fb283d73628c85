export { runnersExamples } from './runners.examples.ts';
