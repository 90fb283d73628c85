export { avatarsExamples as examples } from './avatars.examples.ts';
