export * from './data-requests.contract.ts';
export * from './subject-requests.contract.ts';
