import type { ApiSurface } from '../endpoint/index.ts';

/** Requests of runners, with their own tokens. */
export const runnersSurface: ApiSurface = { name: 'runners' };
