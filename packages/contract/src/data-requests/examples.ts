export * from './data-requests.examples.ts';
