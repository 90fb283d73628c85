export * from './bug-trackers.contract.ts';
export * from './feedback-tickets.contract.ts';
export * from './tickets.contract.ts';
