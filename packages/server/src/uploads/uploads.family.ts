import type { ErrorCode } from '@mooring/contract';
import { errorBody } from '../http/errors.ts';
import type { Family } from '../http/families.ts';
import { unauthorized } from '../kernel/errors.ts';

const isOurs = /^\/(upload|files)\//;

/** What clients of a file host send to, with a token for one file: hundreds of requests for one, so they are not counted. */
export const uploadsFamily: Family = {
  name: 'uploads',
  credentials: [],
  owns: (url) => isOurs.test(url),
  ignoresCase: true,
  isUncounted: true,
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
};
