export * from './audit.examples.ts';
