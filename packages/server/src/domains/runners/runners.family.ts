import type { ErrorCode } from '@mooring/contract';
import { errorBody } from '../../http/errors.ts';
import type { Family } from '../../http/families.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** What runners ask and tell: as often as their jobs print something, so that it is not counted. */
export const runnersFamily: Family = {
  name: 'runners',
  credentials: [],
  owns: (url) => /^\/v0\.1\/runner(?=[/?]|$)/.test(url),
  isUncounted: true,
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
};
