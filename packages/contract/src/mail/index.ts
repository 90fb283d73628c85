export * from './mails.contract.ts';
