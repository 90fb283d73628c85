export * from './administration.examples.ts';
