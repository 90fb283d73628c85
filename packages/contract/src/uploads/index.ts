export * from './downloads.contract.ts';
export * from './uploads.contract.ts';
export * from './uploads.surface.ts';
