export { administrationExamples as examples } from './administration.examples.ts';
