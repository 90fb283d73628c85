export { buildsExamples } from './builds.examples.ts';
