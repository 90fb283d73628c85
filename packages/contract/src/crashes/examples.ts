export { crashesExamples } from './crashes.examples.ts';
