export { testsExamples as examples } from './tests.examples.ts';
