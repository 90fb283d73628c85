import type { ErrorCode } from '@mooring/contract';
import type { ApiSurface } from '../http/api-surfaces.ts';
import { errorBody } from '../http/responses/errors.ts';
import { unauthorized } from '../kernel/errors.ts';

const isOurs = /^\/(upload|files)\//;

/**
 * Uploads and downloads, authorized by a token for one file. Not rate-limited, because one file takes hundreds of
 * requests.
 */
export const uploadsSurface: ApiSurface = {
  name: 'uploads',
  credentials: [],
  owns: (url) => isOurs.test(url),
  ignoresCase: true,
  isUncounted: true,
  unauthenticated: unauthorized,
  error: ({ code, message }) => errorBody(code as ErrorCode, message),
};
