export * from './sentry-cli.contract.ts';
export { SentryCliErrorBody, sentryCliSurface } from './sentry-cli.surface.ts';
export * from './sentry-releases.contract.ts';
export * from './symbols.contract.ts';
