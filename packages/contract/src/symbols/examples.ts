export { symbolsExamples as examples } from './symbols.examples.ts';
