import type { ApiSurface } from '../endpoint/index.ts';
import { Type } from '../type.ts';

export const SentryErrorBody = Type.Object(
  {
    detail: Type.String({ description: 'The problem and how to fix it, for people.' }),
    causes: Type.Array(Type.String(), { description: 'Further reasons. Usually empty.' }),
  },
  { $id: 'SentryError', description: 'The format of errors for Sentry SDKs.' },
);

/** Requests of Sentry SDKs inside apps. */
export const sentrySurface: ApiSurface = {
  name: 'sentry',
  errorBody: SentryErrorBody,
  replacedStatuses: { 411: 400, 503: 429 },
  introduction:
    'Operations for Sentry SDKs (`/api/{project_id}/…`) identify the app by its DSN instead of a token, and their errors have the format `{"detail":"…","causes":[]}`, with the same text in the header `x-sentry-error`.',
};
