export * from './data-requests.contract.ts';
