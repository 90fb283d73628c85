export { buildsExamples as examples } from './builds.examples.ts';
