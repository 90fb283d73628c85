import type { ApiSurface } from '../endpoint/index.ts';
import { HealthErrorBody } from '../errors.ts';

/** The version of the health API that this contract describes. Every server supports it. */
export const healthVersion = { 'api-version': '2024-02-01' };

/** The health API, which follows the API of Azure for its existing clients. */
export const healthSurface: ApiSurface = {
  name: 'health',
  query: healthVersion,
  errorBody: HealthErrorBody,
  takesOauth: true,
  introduction: `The health API (\`/subscriptions\`, \`/providers\`) differs: every call requires \`api-version\`, and errors have the format \`{"code":"…","message":"…","details":"…"}\`.`,
};
