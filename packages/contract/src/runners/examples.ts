export { runnersExamples as examples } from './runners.examples.ts';
