export * from './avatars.examples.ts';
