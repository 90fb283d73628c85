export { testsExamples } from './tests.examples.ts';
