export { crashesExamples as examples } from './crashes.examples.ts';
