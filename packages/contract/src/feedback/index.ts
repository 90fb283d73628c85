export * from './feedback.contract.ts';
