export * from './email-settings.contract.ts';
