import type { ApiSurface } from '../endpoint/index.ts';
import { Type } from '../type.ts';

export const SentryCliErrorBody = Type.Object(
  { detail: Type.String({ description: 'The problem and how to fix it, for people.' }) },
  { $id: 'SentryCliError', description: 'The format of errors for clients of Sentry.' },
);

/** Requests of sentry-cli, of the build plug-ins that run it, and of the update checks in Sentry SDKs. */
export const sentryCliSurface: ApiSurface = {
  name: 'sentry-cli',
  errorBody: SentryCliErrorBody,
  introduction:
    'Operations for sentry-cli and the update checks of Sentry SDKs (`/api/0/…`) accept an API token as a bearer token. Organization and project are the names of the owner and of the app. Errors have the format `{"detail":"…"}`.',
};
