export * from './test-work.ts';
