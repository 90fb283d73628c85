import type { ApiSurface } from '../endpoint/api-surface.ts';

/** Uploads in the protocols of file hosts, with a token for one file. */
export const uploadsSurface: ApiSurface = { name: 'uploads' };
