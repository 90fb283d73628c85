export { sdkKeysExamples as examples } from './sdk-keys.examples.ts';
