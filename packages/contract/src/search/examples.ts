export { searchExamples } from './search.examples.ts';
