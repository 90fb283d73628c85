import type { ErrorCode } from '@mooring/contract';
import type { ApiSurface } from '../../http/api-surfaces.ts';
import { errorBody } from '../../http/responses/errors.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** API surface for runners. They call as often as their jobs print something, so there is no rate limit. */
export const runnersSurface: ApiSurface = {
  name: 'runners',
  credentials: [],
  owns: (url) => /^\/v0\.1\/runner(?=[/?]|$)/.test(url),
  isUncounted: true,
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
};
