export * from './alerts.contract.ts';
