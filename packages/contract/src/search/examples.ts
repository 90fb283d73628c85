export { searchExamples as examples } from './search.examples.ts';
