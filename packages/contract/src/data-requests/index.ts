export * from './data-requests.contract.ts';
export * from './sender-requests.contract.ts';
