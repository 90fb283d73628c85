export { symbolsExamples } from './symbols.examples.ts';
