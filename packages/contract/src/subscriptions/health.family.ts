import type { EndpointFamily } from '../endpoint/index.ts';
import { HealthErrorBody } from '../errors.ts';

/** The version that this table was written for; every server knows it. */
export const healthVersion = { 'api-version': '2024-02-01' };

/** The health API, which follows clients that were made for another server. */
export const healthFamily: EndpointFamily = {
  name: 'health',
  query: healthVersion,
  errorBody: HealthErrorBody,
  takesOauth: true,
  introduction: `The health API (\`/subscriptions\`, \`/providers\`) follows other clients: every call needs \`api-version\`, and errors look
like \`{"code":"…","message":"…","details":"…"}\`.`,
};
