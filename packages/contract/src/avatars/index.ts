export * from './avatars.contract.ts';
