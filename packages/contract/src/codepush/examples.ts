export { codepushExamples } from './codepush.examples.ts';
