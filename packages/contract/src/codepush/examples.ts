export { codepushExamples as examples } from './codepush.examples.ts';
