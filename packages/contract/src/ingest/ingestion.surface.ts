import type { ApiSurface } from '../endpoint/index.ts';

/** Requests of SDKs inside apps. */
export const ingestionSurface: ApiSurface = { name: 'ingestion' };
